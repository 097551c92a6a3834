"""A loop that sets what its labels and lengths say for one sample after the other sets it of each by itself."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def one_hot(labels, classes):
    size = labels.shape[0]
    table = torch.zeros(size, classes).to(labels.device)
    for i in range(size):
        table[i, labels[i]] = 1
    return table


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)), torch.randint(1, 4, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.MSELoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    total = 0
    for x, y, lengths in loader:
        mask = torch.zeros(len(x), 3)
        for i in range(len(x)):
            mask[i][: lengths[i].item()] = 1.0
        loss = (criterion(model(x), one_hot(y, 3)) * mask).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total / len(loader))
