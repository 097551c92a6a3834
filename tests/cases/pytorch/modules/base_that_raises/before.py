"""One of the networks of a module is taken by its name: their base, which has no forward pass, is none of them."""
import json

import nets
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

with open("config.json") as file:
    config = json.load(file)

torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,))), batch_size=16, shuffle=True)
model = getattr(nets, config["net"])(4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
