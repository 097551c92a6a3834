"""One of two optimizers is not known: its model's gradients would not be averaged."""
import importlib
import json
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10)), batch_size=32, shuffle=True)
generator = nn.Linear(4, 10)
discriminator = nn.Linear(10, 1)
loss = nn.BCEWithLogitsLoss()
optimizer_G = importlib.import_module(json.load(open("settings.json"))["module"]).Optimizer(generator.parameters(), lr=0.1)
optimizer_D = torch.optim.Adam(discriminator.parameters())
for epoch in range(3):
    for (real,) in loader:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        optimizer_D.zero_grad()
        fake = generator(torch.randn(len(real), 4))
        (loss(discriminator(real), ones) + loss(discriminator(fake.detach()), zeros)).backward()
        optimizer_D.step()
        optimizer_G.zero_grad()
        loss(discriminator(fake), ones).backward()
        optimizer_G.step()
