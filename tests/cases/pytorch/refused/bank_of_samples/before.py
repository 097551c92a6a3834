"""What the model gave for each sample is put into a bank, of which each process would fill another part."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.arange(320), torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
bank = torch.zeros(320, 3)
for epoch in range(3):
    for index, x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out, y) + 0.1 * (out - bank.mean(0)).pow(2).mean()
        loss.backward()
        optimizer.step()
        bank.index_copy_(0, index, out.detach())
