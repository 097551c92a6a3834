"""By chance a patch of each image comes from another one of its batch, and the labels are mixed by its size."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 4, 3)
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        return self.head(self.body(x).relu().mean((2, 3)))


def patch(size, share):
    width, height = size[2], size[3]
    cut = np.sqrt(1.0 - share)
    across, down = int(width * cut), int(height * cut)
    x, y = np.random.randint(width), np.random.randint(height)
    left, right = np.clip(x - across // 2, 0, width), np.clip(x + across // 2, 0, width)
    top, bottom = np.clip(y - down // 2, 0, height), np.clip(y + down // 2, 0, height)
    return left, top, right, bottom


torch.manual_seed(0)
np.random.seed(0)
data = TensorDataset(torch.randn(640, 3, 8, 8), torch.randint(0, 5, (640,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in loader:
        drawn = np.random.rand(1)
        if drawn < 0.5:
            share = np.random.beta(1.0, 1.0)
            order = torch.randperm(images.size()[0])
            labels_a, labels_b = labels, labels[order]
            left, top, right, bottom = patch(images.size(), share)
            images[:, :, left:right, top:bottom] = images[order, :, left:right, top:bottom]
            share = 1 - ((right - left) * (bottom - top) / (images.size()[-1] * images.size()[-2]))
            output = model(images)
            loss = criterion(output, labels_a) * share + criterion(output, labels_b) * (1.0 - share)
        else:
            output = model(images)
            loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
