"""Layers handed to nn.Sequential by a star are of several classes, one of which subtracts the mean of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
class Center(nn.Module):
    def forward(self, x):
        return x - x.mean(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(10, 8)]
        for i in range(2):
            layers.append(Center())
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(8, 2)
    def forward(self, x):
        return self.head(self.body(x))
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
