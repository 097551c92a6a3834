"""Test samples that are drawn with replacement would be others on each process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(400, 5)
data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
loader = DataLoader(data, batch_size=40, shuffle=True)
test_loader = DataLoader(data, batch_size=40, sampler=RandomSampler(data, replacement=True, num_samples=200))
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    print(epoch, hits / 200)
