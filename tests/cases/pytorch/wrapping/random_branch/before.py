"""A forward pass that takes a branch at random leaves parameters unused."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import random
random.seed(1); torch.manual_seed(1)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
test_loader = DataLoader(test_data, batch_size=32)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(10, 3)
        self.b = nn.Linear(10, 3)
    def forward(self, x):
        if random.random() < 0.5:
            return self.a(x)
        return self.b(x)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
