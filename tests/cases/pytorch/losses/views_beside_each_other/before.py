"""Views of a sample stand beside each other in the rows: rows of processes would come in another order."""
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
        features = model(torch.stack(images, dim=1).flatten(0, 1))
        loss = torch.matmul(features, features.T).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
