"""A look at the first batch does not forbid sharing the evaluation out."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=64)


def accuracy(model, batches):
    correct, total = 0, 0
    for x, y in batches:
        correct += (model(x).argmax(1) == y).sum().item()
        total += y.size(0)
    return correct / total


for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(accuracy(model, loader), accuracy(model, held_out))
for x, y in held_out:
    break
print(model(x).argmax(1), y)
