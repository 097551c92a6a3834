"""The model is made with an attribute of the script's that is its mode: what it gives hangs on it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, training):
        super().__init__()
        self.conv = nn.Conv1d(1, 3, 3, padding=1)
        self.training = training

    def forward(self, x):
        out = self.conv(x)
        if self.training is True:
            return out, out * 2
        return out


class Dice(nn.Module):
    def forward(self, guess, target):
        near = 0.0
        for i in range(guess.size(1)):
            both = (guess[:, i] * target[:, i]).sum(dim=1)
            near += 2 * both / (guess[:, i].pow(2).sum(dim=1) + target[:, i].pow(2).sum(dim=1) + 1)
        return (1 - near / guess.size(1)).mean()


data = TensorDataset(torch.randn(64, 1, 9), torch.randn(64, 3, 9))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(data, batch_size=8)
model = Net(training=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = Dice()
for epoch in range(3):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        first, second = model(x)
        loss = criterion(first, y) + criterion(second, y)
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item() * len(x)
    print(total / len(data))
