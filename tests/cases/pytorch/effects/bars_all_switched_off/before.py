"""All bars are switched off at once where they are made: an argument of their own would bring them back."""

from functools import partialmethod

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

tqdm.__init__ = partialmethod(tqdm.__init__, disable=True)
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data, batch_size=16, shuffle=True)
for epoch in tqdm(range(3)):
    for x, y in tqdm(loader):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
