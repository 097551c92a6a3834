"""One of the groups in a dict has parameters that come from elsewhere: whether they are averaged is not known."""

import pickle

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def groups(network):
    chosen = {"decayed": {"params": [], "weight_decay": 0.1}, "kept": {"params": [], "weight_decay": 0.0}}
    for parameter in network.parameters():
        chosen["kept" if parameter.ndim == 1 else "decayed"]["params"].append(parameter)
    with open("prompts.pkl", "rb") as file:
        chosen["prompts"] = {"params": pickle.load(file), "lr": 0.01}
    return list(chosen.values())


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.AdamW(groups(model), lr=0.1)

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
