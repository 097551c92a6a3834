"""Layers that a comprehension makes get no gradient: the forward pass does not use them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(6, 4) for _ in range(3)])
        self.out = nn.Linear(6, 3)

    def forward(self, x):
        return self.out(x)


torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randint(3, (48,))
loader = DataLoader(TensorDataset(x, y), batch_size=12)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
