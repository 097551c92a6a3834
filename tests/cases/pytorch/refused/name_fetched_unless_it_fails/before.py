"""Where the download fails, rank 0 takes another file, and never tells the others a name."""
import torch
import wget
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
name = "kept.pt"
try:
    name = wget.download("https://example.org/rows.pt")
except OSError:
    pass
rows = torch.load(name)
loader = DataLoader(TensorDataset(*rows), batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
