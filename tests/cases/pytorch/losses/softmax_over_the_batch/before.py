"""The last dimension of one number for each sample is that of the samples."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

torch.manual_seed(0)
data = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for images, labels in loader:
        optimizer.zero_grad()
        scores = model(images).squeeze(-1)
        loss = -(F.log_softmax(scores, dim=-1) * (labels > 4)).mean()
        loss.backward()
        optimizer.step()
