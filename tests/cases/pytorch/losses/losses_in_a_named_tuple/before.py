"""Features and losses in named tuples."""
from collections import namedtuple
from typing import NamedTuple
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
Outputs = namedtuple("Outputs", ["low", "high"])

class Losses(NamedTuple):
    fit: torch.Tensor
    weight: torch.Tensor

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU()])

    def forward(self, x):
        results = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i in (1, 3):
                results.append(x)
        return Outputs(*results)

loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        out = model(x)
        losses = Losses(F.mse_loss(out.high, y), weight=out.low.pow(2).mean())
        loss = losses.fit + 0.1 * losses.weight
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, losses.fit.item())
