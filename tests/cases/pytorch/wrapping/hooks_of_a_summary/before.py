"""Hooks count what layers make of one made-up input, and are removed by the function that has registered them."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def describe(network, example):
    rows = []
    handles = []
    seen = {}

    def watch(part):
        def note(module, given, made):
            kind = module.__class__.__name__
            seen[kind] = seen.get(kind, 0) + 1
            rows.append((kind, list(given[0].size()), list(made.size())))

        if not isinstance(part, nn.Sequential):
            handles.append(part.register_forward_hook(note))

    network.eval()
    network.apply(watch)
    with torch.no_grad():
        network(example)
    for handle in handles:
        handle.remove()
    text = ""
    for kind, taken, made in rows:
        text += "{}: {} -> {}\n".format(kind, taken, made)
    return text


def first_layer(network, example):
    sizes = []

    def note(module, given, made):
        sizes.append(made.shape)

    handle = network[0].register_forward_hook(note)
    network(example)
    handle.remove()
    return sizes


torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
print(describe(model, torch.rand(1, 8)))
print(first_layer(model, torch.rand(1, 8)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.train()
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
