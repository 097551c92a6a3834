"""What is gathered must be what the script has changed in place, under any of its names."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(256, 20), torch.randn(256, 20))
loader = DataLoader(data, batch_size=32, shuffle=True)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(20, 8), nn.Linear(20, 8)

    def forward(self, x, y):
        return self.a(x), self.b(y)


model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for x, y in loader:
        a, b = model(x, y)
        logits = a @ b.t()
        a.mul_(0.5)
        loss = F.cross_entropy(logits, torch.arange(len(x))) + (a @ a.t()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
