"""Eight samples that a permutation of the batch begins with: each process would take eight of its shard."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss(reduction="sum")
for epoch in range(2):
    for x, y in loader:
        index = torch.randperm(len(x))
        loss = criterion(model(x[index[:8]]), y[index[:8]])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
