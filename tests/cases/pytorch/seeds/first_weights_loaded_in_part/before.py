"""Weights that are read to be completed from a file go back before all are sent around: no seed is shared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


loader = DataLoader(TensorDataset(torch.load("x.pt"), torch.load("y.pt")), batch_size=64, shuffle=True)
model = Net()
print(sum(p.numel() for p in model.parameters() if p.requires_grad))
for p in model.parameters():
    if p.dim() > 1:
        nn.init.xavier_uniform_(p)
weights = model.state_dict()
weights.update(torch.load("hidden.pt"))
model.load_state_dict(weights)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
