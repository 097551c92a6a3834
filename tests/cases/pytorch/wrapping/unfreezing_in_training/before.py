"""Parameters are unfrozen after some epochs: DDP would not notice, so gradients are averaged in front of the step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=32, shuffle=True)
backbone = nn.Sequential(nn.Linear(10, 20), nn.ReLU())
model = nn.Sequential(backbone, nn.Linear(20, 3))
for p in backbone.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    if epoch == 3:
        for p in backbone.parameters():
            p.requires_grad = True
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
