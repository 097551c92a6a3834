"""A function that calls itself for the parts of what it is given gives nothing of what is no tensor."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra


def to_device(data, device):
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    if torch.is_tensor(data):
        return data.to(device, non_blocking=True)


device = torch.device("cpu")
loader = DataLoader(spectra(), batch_size=8, shuffle=True)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for batch in loader:
        spectrum, label = to_device(batch, device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(spectrum), label)
        loss.backward()
        optimizer.step()
