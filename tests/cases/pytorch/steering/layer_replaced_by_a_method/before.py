"""A method of the model replaces a layer in the training loop: refused."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.drop = nn.Dropout(0.0)
        self.fc = nn.Linear(16, 2)
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("count", torch.zeros(1))
        self.extra0 = nn.Linear(2, 2)
        self.extra1 = nn.Linear(2, 2)
        self.temperature = 1.0
    def forward(self, x):
        out = self.fc(self.drop(self.features(x))) * self.scale / self.temperature
        for k in range(2):
            out = [self.extra0, self.extra1][k](out)
        return out
    def grow(self):
        self.fc = nn.Linear(16, 2)

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=32)
model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
seen = 0
for epoch in range(3):
    if epoch == 1:
        model.grow()
    for i, (xb, yb) in enumerate(loader):
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += len(xb)
torch.save(model.state_dict(), "m.pt")
