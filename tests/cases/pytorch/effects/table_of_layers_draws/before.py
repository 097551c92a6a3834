"""The table of a model's layers runs the model on random numbers: every process draws them, so that all split the data alike, and rank 0 shows it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchsummary import summary

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
summary(model, (4,), device="cpu")
data = TensorDataset(torch.arange(256.0).view(64, 4), torch.arange(64) % 2)
kept, rest = random_split(data, [48, 16])
loader = DataLoader(kept, batch_size=8, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
