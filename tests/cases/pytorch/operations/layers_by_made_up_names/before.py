"""Layers that are set and looked up by names made of a text and a number are followed as if they were written out."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        for number, width in enumerate((6, 16)):
            setattr(self, f"linear{number}", nn.Linear(width, 16))
        self.add_module("last", nn.Linear(16, 3))
        self.norm1 = nn.LayerNorm(16)
        self.names = ["norm1", "last"]

    def forward(self, inputs):
        for number in range(2):
            inputs = getattr(self, f"linear{number}")(inputs).relu()
        for name in self.names:
            layer = getattr(self, name)
            inputs = layer(inputs)
        return inputs

model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        output = model(inputs)
        loss = F.cross_entropy(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
