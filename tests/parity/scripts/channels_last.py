"""A convolutional network that is laid out with the channels last, as its batches are."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
images = torch.randn(96, 3, 8, 8)
data = TensorDataset(images, (images.mean((1, 2, 3)) > 0).long())
loader = DataLoader(data, batch_size=12, shuffle=True)
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2)).to(
    memory_format=torch.channels_last
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        x = x.to(memory_format=torch.channels_last)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(f"epoch {epoch}: loss {total / len(data):.5f}")
