"""A layer takes the place of one of a library's model, whose parts are looked at one by one: that depends on no data."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models.resnet import resnet18


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        kept = []
        for name, part in resnet18().named_children():
            if name == "conv1":
                part = nn.Conv2d(3, 64, kernel_size=3, padding=1, bias=False)
            if not isinstance(part, nn.Linear):
                kept.append(part)
        self.trunk = nn.Sequential(*kept)
        self.head = nn.Linear(512, width)

    def forward(self, pictures):
        return self.head(torch.flatten(self.trunk(pictures), start_dim=1))


torch.manual_seed(0)
net = Encoder(4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(48, 3, 8, 8), torch.randint(4, (48,))), batch_size=12, shuffle=True)
for epoch in range(2):
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
