"""A hook is removed by the function that has registered it, but has kept something of each batch of a process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def activity(network, batches):
    means = []

    def note(module, given, made):
        means.append(made.mean().item())

    handle = network[0].register_forward_hook(note)
    for x, _ in batches:
        network(x)
    handle.remove()
    return sum(means) / len(means)


torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(activity(model, loader))
