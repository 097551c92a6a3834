"""A helper module computes the accuracy of one batch: it is followed, and the sum is reduced in the script."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from metrics import count_hits

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
test_dl = DataLoader(TensorDataset(torch.randn(65, 10), torch.randint(0, 2, (65,))), batch_size=32)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_dl:
            hits += count_hits(model(x), y)
    print(epoch, hits / len(test_dl.dataset))
