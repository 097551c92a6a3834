"""What is stacked may be the samples of a batch, or tensors that have some of each: a run has to show it."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
loader = DataLoader(load_features("pairs"), batch_size=16, shuffle=True)
model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        stacked = torch.stack(batch)
        optimizer.zero_grad()
        loss = ((model(stacked) - stacked) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
