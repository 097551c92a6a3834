"""A method of the model thaws parameters in the training loop."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.classifier = nn.Linear(16, 2)

    def forward(self, x):
        return self.classifier(self.features(x))

    def freeze(self):
        for p in self.features.parameters():
            p.requires_grad = False

    def unfreeze(self):
        for p in self.features.parameters():
            p.requires_grad = True


torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = Net()
model.freeze()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    if epoch == 1:
        model.unfreeze()
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
