"""A block in a sequence has a layer that an option leaves out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width, scaled):
        super().__init__()
        self.scaled = scaled
        self.layer = nn.Linear(width, width)
        self.scale = nn.Linear(width, width)

    def forward(self, x):
        x = torch.relu(self.layer(x))
        return self.scale(x) if self.scaled else x


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
model = nn.Sequential(Block(8, True), Block(8, False), nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
