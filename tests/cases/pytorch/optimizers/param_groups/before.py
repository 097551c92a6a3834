"""Two parameter groups with rates of their own, made before the wrapping and left as they are."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(20, 40), nn.ReLU())
        self.classifier = nn.Linear(40, 3)

    def forward(self, x):
        return self.classifier(self.features(x))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(600, 20), torch.randint(0, 3, (600,))), batch_size=60, shuffle=True)
model = Net()
optimizer = torch.optim.SGD([
    {'params': model.features.parameters(), 'lr': 1e-4},
    {'params': model.classifier.parameters()},
], lr=1e-2, momentum=0.9)

for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
