"""A function moves what it is given to a device, part by part: batches of which nothing is known, and the model."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra


def to_device(data, device):
    """Move tensor(s) to the chosen device."""
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    if isinstance(data, dict):
        return {k: to_device(v, device=device) for k, v in data.items()}
    return data.to(device, non_blocking=True)


device = torch.device("cpu")
loader = DataLoader(spectra(), batch_size=8, shuffle=True)
model = to_device(nn.Linear(4, 3), device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for batch in loader:
        spectrum, label = to_device(batch, device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(spectrum), label)
        loss.backward()
        optimizer.step()
