"""A module that is appended to a list of them combines the samples of a batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Centre(nn.Module):
    def forward(self, x):
        return x - x.mean(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList()
        for _ in range(2):
            self.parts.append(Centre())
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
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
