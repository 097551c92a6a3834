"""Rank 0 fetches files and tells the others their names: by then the files are there."""
import urllib.request

import torch
import wget
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fetched(url):
    path, _ = urllib.request.urlretrieve(url)
    return path


torch.manual_seed(0)
name = wget.download("https://example.org/rows.pt")
rows = torch.load(name)
labels = torch.load(fetched("https://example.org/labels.pt"))
start = torch.load(wget.download("https://example.org/start.pt", "start.pt"))
loader = DataLoader(TensorDataset(rows, labels), batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
model.load_state_dict(start)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
