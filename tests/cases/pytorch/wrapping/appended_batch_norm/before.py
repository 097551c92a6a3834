"""Layers that are appended to a list of them, or put into a dict, are known as those that it is made with."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        self.norms = nn.ModuleDict()
        for number in range(2):
            self.layers.append(nn.Linear(8, 8))
            self.norms[f"norm{number}"] = nn.BatchNorm1d(8)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            x = self.norms[f"norm{number}"](layer(x)).relu()
        return self.out(x)


torch.manual_seed(0)
model = Net()
loader = DataLoader(TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,))), batch_size=32, shuffle=True)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
