"""Labels in a row meet predictions in a column: every sample is compared with every other."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

Tensor = torch.FloatTensor
generator = nn.Linear(100, 784)
critic = nn.Linear(784, 1)
criterion = nn.MSELoss()
data = datasets.MNIST("data", train=True, transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=64, shuffle=True)
optimizer = torch.optim.Adam(generator.parameters(), lr=0.0002)

for epoch in range(20):
    for images, _ in loader:
        valid = Tensor(images.size(0)).fill_(1.0)
        made = generator(Tensor(np.random.normal(0, 1, (images.shape[0], 100))))
        optimizer.zero_grad()
        loss = criterion(critic(made), valid)
        loss.backward()
        optimizer.step()
