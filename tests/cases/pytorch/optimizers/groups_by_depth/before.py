"""Groups that are made where they are first needed, one for each depth and kind."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(6, 6) for _ in range(3))
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.head(x)


def depth_of(name):
    return int(name.split(".")[1]) if name.startswith("layers") else 3


def groups(network, rate, decay):
    chosen = {}
    for name, parameter in network.named_parameters():
        depth = depth_of(name)
        key = f"{depth} {parameter.ndim > 1}"
        if key not in chosen:
            wanted = decay if parameter.ndim > 1 else 0.0
            chosen[key] = {"params": [], "weight_decay": wanted, "lr": rate * 0.8 ** (3 - depth)}
        chosen[key]["params"].append(parameter)
    return list(chosen.values())


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.AdamW(groups(model, 1e-3, 0.05))

for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
