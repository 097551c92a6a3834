"""A model keeps layers in a plain list, of which it gives the parameters to the optimizer, beside tensors of a loop."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=8, shuffle=True)
model = Net()
params = list(model.parameters())
for part in model.parts:
    params += part.parameters()
shifts = []
for _ in range(2):
    shift = torch.zeros(2, requires_grad=True)
    shifts.append(shift)
    params.append(shift)
optimizer = torch.optim.SGD(params, lr=0.1)
for epoch in range(3):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a) + sum(shifts), b)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
