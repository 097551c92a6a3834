"""Nothing is asked of losses whose sides are known to be alike, or are wider than one number a sample."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(4, 1)
coder = nn.Sequential(nn.Linear(4, 2), nn.Linear(2, 4))
optimizer = torch.optim.SGD([*model.parameters(), *coder.parameters()], lr=0.1)
for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        coded = coder(inputs)
        outputs = model(coded)
        loss = F.mse_loss(coded, inputs) + F.l1_loss(outputs.view(-1), targets.view(-1))
        loss.backward()
        optimizer.step()
