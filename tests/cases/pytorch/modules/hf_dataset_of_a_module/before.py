"""A project module loads the data set: progress bars are switched off where the script starts."""
import torch
import torch.nn as nn
from reading import make_loader

loader = make_loader()
model = nn.Embedding(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch["label"]), batch["label"]).backward()
        optimizer.step()
