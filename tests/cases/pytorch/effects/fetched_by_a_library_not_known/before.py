"""What a library not known here calls a download may be one: one process does it before the others."""

import torch
import turbines
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from turbines.remote import download_year

torch.manual_seed(0)
table = torch.tensor(turbines.fetch_table("2021"))
path = download_year(2022)
x = torch.cat([table, torch.load(path)])[:, :4]
y = x.sum(1, keepdim=True)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
