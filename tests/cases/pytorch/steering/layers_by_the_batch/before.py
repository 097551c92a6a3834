"""Attributes of layers are set from a shard of the batch, by whatever way: all refused."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
scheduler = torch.optim.lr_scheduler.StepLR(opt, 1)
for epoch in range(3):
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        spread = float(xb.std())
        model[2].p = spread
        setattr(model[2], "p", spread)
        for layer in model.modules():
            if isinstance(layer, nn.Dropout):
                layer.p = spread
        criterion.label_smoothing = spread
        scheduler.gamma = spread
    scheduler.step()
