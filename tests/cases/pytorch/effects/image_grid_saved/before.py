"""Samples decoded from fixed noise are written as an image each epoch: computed on all ranks or one, written by rank 0."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image

loader = DataLoader(datasets.MNIST("data", download=True, transform=transforms.ToTensor()), batch_size=128, shuffle=True)
autoencoder = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 784), nn.Sigmoid())
optimizer = torch.optim.Adam(autoencoder.parameters(), lr=1e-3)
torch.manual_seed(0)
noise = torch.rand(64, 1, 28, 28)
for epoch in range(3):
    for img, _ in loader:
        optimizer.zero_grad()
        out = autoencoder(img)
        nn.functional.mse_loss(out, img.view(img.size(0), -1)).backward()
        optimizer.step()
    with torch.no_grad():
        save_image(autoencoder(noise).view(64, 1, 28, 28), "sample_%d.png" % epoch)
