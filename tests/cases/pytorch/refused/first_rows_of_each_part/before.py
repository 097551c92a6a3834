"""The parts of a batch are cut to their first rows: of each shard these are others than of the batch."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
loader = DataLoader(load_features("train"), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        batch = [part[:4] for part in batch]
        optimizer.zero_grad()
        loss = criterion(model(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
