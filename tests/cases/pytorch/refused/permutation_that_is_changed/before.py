"""A permutation that is no longer one: a number in it was set."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for x, y in loader:
        index = torch.randperm(len(x))
        index[0] = 3
        loss = criterion(model(x[index]), y[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
