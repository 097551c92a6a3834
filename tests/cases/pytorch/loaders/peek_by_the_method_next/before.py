"""An iterator of older releases of PyTorch has a method of its own for the next batch: it is looked at, whole."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True)
names = ["below", "above"]
samples = iter(loader)
features, labels = samples.next()
print(" ".join(names[labels[i]] for i in range(4)))
first, _ = iter(loader).__next__()
print(first.shape)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
