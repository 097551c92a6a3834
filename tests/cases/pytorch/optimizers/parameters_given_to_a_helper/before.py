"""What a helper that makes the optimizer is given is followed to the model and to the loose parameter."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_optimizer(parameters, rate=0.1):
    return torch.optim.SGD(parameters, lr=rate)


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = make_optimizer(list(model.parameters()) + [scale])

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
