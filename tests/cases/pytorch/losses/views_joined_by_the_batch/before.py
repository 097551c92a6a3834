"""A list of views, as a transform gives it, is one batch for the model: then all rows meet all others."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Views:
    def __init__(self, transform, count):
        self.transform, self.count = transform, count

    def __call__(self, image):
        return [self.transform(image) for _ in range(self.count)]


torch.manual_seed(0)
views = Views(transforms.Compose([transforms.RandomResizedCrop(32), transforms.ToTensor()]), 2)
loader = DataLoader(datasets.CIFAR10("data", transform=views), batch_size=64, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 16))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for images, _ in loader:
        features = model(torch.cat(images, dim=0))
        loss = torch.matmul(features, features.T).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
