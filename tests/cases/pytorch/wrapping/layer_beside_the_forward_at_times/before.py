"""A layer that forward leaves out and some steps use is neither unused nor used to DDP: nothing is wrapped."""

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
        return self.head(torch.relu(self.body(x)))


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        if epoch > 0:
            loss = loss + 0.1 * model.scale(a).pow(2).mean()
        loss.backward()
        opt.step()
torch.save(model.state_dict(), "model.pt")
