"""The largest of several losses is that of their means over all processes."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        output = model(inputs)
        losses = torch.stack([F.cross_entropy(output, labels), output.pow(2).mean()])
        loss = losses.max()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
