"""Models are made to be printed, and draw their first weights: all processes make them, as they split the data next."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


torch.manual_seed(0)
print(Net())
print(nn.Softmax(dim=1), nn.Linear(8, 2))
print(sum(p.numel() for p in Net().parameters()))
train, _ = random_split(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), [600, 40])
loader = DataLoader(train, batch_size=60, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
