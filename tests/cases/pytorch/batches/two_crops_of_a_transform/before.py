"""A transform gives two crops of each picture; a network takes both in one batch, and its output is cut apart again."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class TwoCrops:
    def __init__(self, transform):
        self.transform = transform

    def __call__(self, image):
        return [self.transform(image), self.transform(image)]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.body = nn.Linear(8, 16)
        self.classes = nn.Linear(16, 10)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(F.relu(self.conv(x)), 1)
        x = self.body(x.view(x.size(0), -1))
        return x / x.norm(dim=1, keepdim=True), self.classes(x)


train_transform = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
train_data = datasets.CIFAR10("data", transform=TwoCrops(train_transform))
loader = DataLoader(train_data, batch_size=128, shuffle=True, drop_last=True)
model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    for images, labels in loader:
        bsz = labels.shape[0]
        features, scores = model(torch.cat([images[0], images[1]], dim=0))
        f1, f2 = torch.split(features, [bsz, bsz], dim=0)
        near, far = scores.chunk(2)
        loss = F.mse_loss(f1, f2.detach()) + F.cross_entropy(scores[:bsz], labels)
        loss = loss + F.kl_div(F.log_softmax(far, dim=1), F.softmax(near.detach(), dim=1), reduction="batchmean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
