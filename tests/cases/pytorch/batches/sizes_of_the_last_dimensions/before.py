"""What is computed is scaled to the height and width of the images, which are the last of dimensions not known."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scenes(Dataset):
    def __init__(self, folder, count):
        self.folder, self.count = folder, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return torch.load(f"{self.folder}/{index}.pt")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 8, 3, stride=2)
        self.head = nn.Conv2d(8, 4, 1)

    def forward(self, x):
        size = x.shape[-2:]
        x = self.head(self.body(x).relu())
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)


torch.manual_seed(0)
loader = DataLoader(Scenes("scenes", 320), batch_size=32, shuffle=True)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, masks in loader:
        loss = criterion(model(images), masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
