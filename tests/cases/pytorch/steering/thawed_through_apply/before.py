"""model.apply() thaws parameters in the training loop."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
def thaw(m):
    for p in m.parameters(recurse=False):
        p.requires_grad = True

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=32)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for p in model[0].parameters():
    p.requires_grad = False
seen = 0
for epoch in range(3):
    model.apply(thaw)
    for i, (xb, yb) in enumerate(loader):
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += len(xb)
torch.save(model.state_dict(), "m.pt")
