"""A stream has no numbers to deal out: all processes evaluate all of it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset
class Stream(IterableDataset):
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield torch.tensor([i / 10, i / 7]), torch.tensor([float(i)])
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 2), torch.randn(64, 1)), batch_size=16)
val = DataLoader(Stream(50), batch_size=16)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in val:
            total += nn.functional.mse_loss(model(x), y).item() * len(x)
            n += len(x)
    print(total / n)
