"""x.view(batch_size, -1) reshapes by the batch size, of which each process has its share."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 32
loader = DataLoader(TensorDataset(torch.randn(640, 1, 8, 8), torch.randint(0, 10, (640,))), batch_size=batch_size, shuffle=True)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for images, labels in loader:
        images = images.view(batch_size, -1)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
