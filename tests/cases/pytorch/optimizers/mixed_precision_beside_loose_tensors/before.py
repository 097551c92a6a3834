"""A weight beside the model is averaged by hand before the scaler looks at gradients."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 2)), batch_size=32, shuffle=True)
model = nn.Linear(10, 2)
log_sigma = nn.Parameter(torch.zeros(2))
optimizer = torch.optim.SGD([*model.parameters(), log_sigma], lr=0.5)
scaler = torch.amp.GradScaler("cpu")
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu"):
            loss = ((model(x) - y).pow(2) * torch.exp(-log_sigma) + log_sigma).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
