"""The loss is computed by a method of the model, model.loss(x, y): gradients are averaged before the step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.zeros(10))
        self.shift = nn.Parameter(torch.zeros(10))

    def forward(self, x):
        return (x - self.shift) * torch.exp(-self.scale)

    def loss(self, x):
        z = self(x)
        return (0.5 * z.pow(2).sum(1) + self.scale.sum()).mean()


loader = DataLoader(TensorDataset(torch.randn(640, 10) * 2 + 1), batch_size=32, shuffle=True)
model = Flow()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for (x,) in loader:
        loss = model.loss(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
