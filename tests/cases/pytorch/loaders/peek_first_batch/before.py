"""next(iter(loader)) before training only looks at a shape: no training step hangs on it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

train_loader = DataLoader(datasets.MNIST("data", download=True, transform=transforms.ToTensor()), batch_size=32, shuffle=True)
images, labels = next(iter(train_loader))
n_features = images[0].numel()

model = nn.Sequential(nn.Flatten(), nn.Linear(n_features, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(1):
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
