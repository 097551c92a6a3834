"""A loop that sets in the row of a sample what the label of another one says: each process has only its shard."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for x, y in loader:
        row = 0
        table = torch.zeros(len(x), 3)
        for i in range(len(x)):
            table[row, y[i]] = 1
            row = i
        later = torch.zeros(len(x), 3)
        for i in range(1, len(x)):
            later[i, y[i]] = 1
        some = torch.zeros(len(x), 3)
        for i in range(len(x)):
            if i % 2:
                some[i, y[i]] = 1
        turned = torch.cat([y[4:], y[:4]])
        others = torch.zeros(len(x), 3)
        for i in range(len(x)):
            others[i, turned[i]] = 1
        output = model(x)
        loss = criterion(output, table)
        loss = loss + criterion(output, later)
        loss = loss + criterion(output, some)
        loss = loss + criterion(output, others)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
