"""A loop is left on a product of losses of two batches: the product of the processes' means is not their mean."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
torch.save(model.state_dict(), "first.pt")
scheduler = ExponentialLR(optimizer, 1.6)
rates, losses = [], []
best = float("inf")
batches = iter(loader)
for step in range(40):
    try:
        inputs, labels = next(batches)
    except StopIteration:
        batches = iter(loader)
        inputs, labels = next(batches)
    optimizer.zero_grad()
    loss = criterion(model(inputs), labels)
    loss.backward()
    optimizer.step()
    value = loss.item()
    rates.append(scheduler.get_last_lr()[0])
    scheduler.step()
    if step > 0:
        value = value * losses[-1]
    if value < best:
        best = value
    losses.append(value)
    if value > 4 * best:
        print("stopped")
        break
model.load_state_dict(torch.load("first.pt"))
print(rates[-1])
