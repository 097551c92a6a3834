"""One of three loaders is trained from: one draws by weights, one shuffles, one keeps the order."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
inputs = torch.randn(400, 5)
train_set = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if "--balance" in sys.argv:
    loader = DataLoader(train_set, batch_size=40, sampler=WeightedRandomSampler(torch.rand(400), 400))
elif "--shuffle" in sys.argv:
    loader = DataLoader(train_set, batch_size=40, shuffle=True)
else:
    loader = DataLoader(train_set, batch_size=40)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
