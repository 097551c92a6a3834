"""A module that holds modules of its own class, which compare the samples of a batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear = nn.Linear(inside, outside)

    def forward(self, x):
        return F.relu(self.linear(x))


class Tree(nn.Module):
    def __init__(self, block, inside, outside, level=1):
        super().__init__()
        self.root = nn.Linear(2 * outside, outside)
        if level == 1:
            self.left = block(inside, outside)
            self.right = block(outside, outside)
        else:
            self.left = Tree(block, inside, outside, level=level - 1)
            self.right = Tree(block, outside, outside, level=level - 1)

    def forward(self, x):
        left = self.left(x - x.mean(0))
        right = self.right(left)
        return self.root(torch.cat([left, right], 1))


class Net(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.tree = Tree(block, 10, 16, level=3)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        out = self.tree(x)
        return self.head(out.view(out.size(0), -1))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(3, (640,))), batch_size=32, shuffle=True)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
