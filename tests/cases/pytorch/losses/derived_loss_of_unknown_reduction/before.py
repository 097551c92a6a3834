"""A loss that derives from one of PyTorch, and does not say whether it has it sum: what it gives is not known."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Distance(nn.MSELoss):
    def __init__(self, **options):
        super().__init__(**options)

    def forward(self, output, target):
        return super().forward(output, target).mean()


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 2)), batch_size=32, shuffle=True)
model = nn.Linear(4, 2)
criterion = Distance(**torch.load("options.pt"))
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(4):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
