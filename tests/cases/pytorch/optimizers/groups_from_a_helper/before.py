"""Groups of parameters that a helper makes are followed to the model and to the loose parameter."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def groups(network, factor):
    decayed, others = [], []
    for name, parameter in network.named_parameters():
        if name.endswith("weight"):
            decayed.append(parameter)
        else:
            others.append(parameter)
    others.append(factor)
    return [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD(groups(model, scale), lr=0.1)

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
