"""An object of the script's own gives the next batch of a loader, and begins it again at its end."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Endless:
    def __init__(self, loader):
        self.loader = loader
        self.rest = iter(loader)

    def __next__(self):
        try:
            x, y = next(self.rest)
        except StopIteration:
            self.rest = iter(self.loader)
            x, y, *_ = next(self.rest)
        return x, y

    def batch(self):
        return next(self)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96, 1)), batch_size=16, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = Endless(loader)
for step in range(20):
    x, y = batches.batch()
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(step, loss.item())
