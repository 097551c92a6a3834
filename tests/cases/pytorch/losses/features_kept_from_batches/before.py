"""Features of the batches so far are in one list: they are compared with those of this one."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,))), batch_size=8)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    bank = []
    for x, y in loader:
        out = model(x)
        bank.append(out.detach())
        kept = torch.cat([each * 0.5 for each in bank])
        loss = nn.functional.cross_entropy(out, y) + (out.mean(0) - kept.mean(0)).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
