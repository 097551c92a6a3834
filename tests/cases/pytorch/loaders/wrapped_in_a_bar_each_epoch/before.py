"""Each epoch gives the name of the loader to a progress bar around it, and so around the last epoch's bar."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    loader = tqdm(loader, desc=f"epoch {epoch}")
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        loader.set_postfix(loss=loss.item())
    held_out = tqdm(held_out)
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item()
    print(total / len(held_out))
