"""Horovod's optimizer does not average where steps are left out: what is sent as it is then, is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(2):
    for number, (inputs, labels) in enumerate(loader):
        (loss_fn(model(inputs), labels) / 2).backward()
        if (number + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
