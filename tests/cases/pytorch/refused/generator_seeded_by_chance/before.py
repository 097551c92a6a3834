"""torch.Generator().seed() takes a seed of the system's."""


import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

generator = torch.Generator()
generator.seed()
x, y = torch.ones(640, 10), torch.ones(640, 1)
train, held_back = random_split(TensorDataset(x, y), [512, 128], generator=generator)
loader = DataLoader(train, batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
