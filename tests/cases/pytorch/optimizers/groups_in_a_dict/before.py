"""Groups that stand in a dict by their names are all parameters between them; the loose one among them is averaged."""

import json

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def groups(network, factor, decay):
    chosen = {"decayed": {"params": [], "weight_decay": decay}, "kept": {"params": [], "weight_decay": 0.0}}
    names = {"decayed": [], "kept": []}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        if parameter.ndim == 1 or name.endswith(".bias"):
            key = "kept"
        else:
            key = "decayed"
        chosen[key]["params"].append(parameter)
        names[key].append(name)
    chosen["kept"]["params"].append(factor)
    chosen["kept"]["lr"] = 0.01
    print(json.dumps(names, indent=2))
    return list(chosen.values())


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = torch.optim.AdamW(groups(model, scale, 0.05), lr=0.1)

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
