"""The outputs for all parts of a batch are added up: if these are its samples, a shard has fewer of them."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(load_features("train"), batch_size=16, shuffle=True)
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        batch = [part.to(device) for part in batch]
        optimizer.zero_grad()
        loss = 0.0
        for part in batch:
            loss = loss + model(part).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
