"""A network is taken apart, and one of its layers is left out: the wrapper has to look for what is not used.

So is another one that stays whole, of which the layers of a third are used instead.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 8, 3)
        self.last = nn.Linear(8, 10)

    def forward(self, images):
        return self.last(self.convolution(images).mean(dim=(2, 3)))


backbone = Backbone()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.first = nn.Sequential(*list(backbone.children())[:1])
        self.middle = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 4))
        self.next = self.middle[0]
        self.last = nn.Linear(8, 2)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=0.02)

    def forward(self, images):
        return self.last(self.next(self.first(images).mean(dim=(2, 3))))


data = TensorDataset(torch.randn(16, 3, 8, 8), torch.randint(0, 2, (16,)))
loader = DataLoader(data, batch_size=4, shuffle=True)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
