"""All processes keep the same batch, so rank 0's seed is shared where the script sets none."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

data = datasets.MNIST("data", transform=transforms.ToTensor())
train_loader = DataLoader(data, batch_size=32, shuffle=True)
samples, _ = next(iter(train_loader))
torch.save(samples.mean(0), "mean.pt")
model = nn.Sequential(nn.Flatten(), nn.Linear(samples[0].numel(), 10))
model[1].weight.data[0] = samples.view(32, -1).mean(0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
