"""A function removes the hooks it has registered, but not where it returns early."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

means = []


def describe(network, example, quick):
    handles = []

    def note(module, given, made):
        means.append(made.mean().item())

    handles.append(network[0].register_forward_hook(note))
    result = network(example)
    if quick:
        return result.shape
    for handle in handles:
        handle.remove()
    return list(result.shape)


torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
print(describe(model, torch.rand(1, 8), True))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(means)
