"""In the first epoch each batch sets what is read in all of them: later ones see the last batch of it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96)), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        if epoch == 0:
            other = x.flip(1)
        optimizer.zero_grad()
        loss = (model(x).squeeze(1) - y).pow(2).mean() + (model(other).squeeze(1) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
