"""A loader that is given both a sampler, which is none, and whether it shuffles: it gets one sampler."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
train_sampler = None
loader = DataLoader(
    data, batch_size=32, shuffle=(train_sampler is None),
    num_workers=2, pin_memory=True, sampler=train_sampler)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
