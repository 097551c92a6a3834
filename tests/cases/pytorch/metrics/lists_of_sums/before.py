"""Lists of sums and of counts are summed up item by item."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,))), batch_size=8)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses, hits, sizes = [], [], []
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = nn.functional.cross_entropy(output, y, reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        hits.append((output.argmax(1) == y).sum().item())
        sizes.append(len(x))
print(losses, hits, sizes, len(losses), losses[-1], sum(hits), np.mean(sizes))
print(np.array(losses) / np.array(sizes), max(hits))
