"""A sum over pairs of samples that a permutation of the batch makes: each process would pair those of its shard."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randint(3, (96,))), batch_size=16)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        perm = torch.randperm(len(x))
        out = model(x)
        loss = ((out - out[perm]) ** 2).sum() / len(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
