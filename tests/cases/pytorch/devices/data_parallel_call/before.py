"""The forward pass spreads itself over several GPUs of one process, if it is told to."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, gpus):
        super().__init__()
        self.gpus = gpus
        self.main = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        if x.is_cuda and self.gpus > 1:
            out = nn.parallel.data_parallel(self.main, x, range(self.gpus))
        else:
            out = self.main(x)
        return out


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randint(3, (96,))), batch_size=12)
model = Net(1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
