"""The batch size of the loader is the shape of a batch, of which each process has its share."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 2, 3), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x.view(loader.batch_size, 6)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch)
