"""What is computed of each part of a batch is its largest element, which a shard does not show."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
loader = DataLoader(load_features("train"), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        tops = tuple(part.abs().max() for part in batch)
        x, y = batch
        optimizer.zero_grad()
        loss = ((model(x / tops[0]) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
