"""Noise comes from a layer of its own: it has no parameters, so there is nothing to wrap."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(512, 20)), batch_size=32, shuffle=True)
dropout = nn.Dropout(0.5)
squash = nn.Sigmoid()
model = nn.Linear(20, 20)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for (x,) in loader:
        optimizer.zero_grad()
        noisy = dropout(torch.ones(x.shape)) * x
        loss = criterion(squash(model(noisy)), x)
        loss.backward()
        optimizer.step()
