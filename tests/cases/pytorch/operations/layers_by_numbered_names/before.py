"""Layers that are registered under numbered names, and called by the names themselves."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, repeats):
        super().__init__()
        self.stem = nn.Linear(8, 16)
        self.stage2: nn.Sequential
        self.stage3: nn.Sequential
        names = ["stage{}".format(i) for i in [2, 3]]
        for name, repeat in zip(names, repeats):
            seq = [nn.Linear(16, 16)]
            for _ in range(repeat - 1):
                seq.append(nn.ReLU())
            setattr(self, name, nn.Sequential(*seq))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        x = self.stem(x)
        x = self.stage2(x)
        x = self.stage3(x)
        return self.head(x)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
model = Net([2, 3])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
