"""Nothing shows how many dimensions the data has: its rows may be sequences, or steps of one."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
series = torch.from_numpy(np.load("series.npy"))
target = series.sum(dim=1, keepdim=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 16, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for start in range(0, 600, 30):
        x, y = series[start : start + 30], target[start : start + 30]
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
