"""Parameters that a helper is given by stars are not followed: the gradient of the loose one would not be averaged."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_optimizer(**settings):
    return torch.optim.SGD(**settings)


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = make_optimizer(params=[*model.parameters(), scale], lr=0.1)

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
