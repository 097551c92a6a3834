"""A model adds a dimension where its rows have none, and changes no rows where all processes have the same answer."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width, turned=False):
        super().__init__()
        self.turned = turned
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        if x.dim() == 1:
            x = x.unsqueeze(1)
        if self.turned:
            x = -x
        return self.head(x)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
model = Net(8)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
