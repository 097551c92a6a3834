"""The step uses the weight of a layer that forward leaves out; its bias has no gradient, which DDP cannot tell."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 6)
        self.head = nn.Linear(6, 2)
        self.scale = nn.Linear(8, 2)

    def forward(self, x):
        return torch.relu(self.body(x))


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model.head(model(a)) * model.scale.weight.sum(), b)
        loss.backward()
        opt.step()
torch.save(model.state_dict(), "model.pt")
