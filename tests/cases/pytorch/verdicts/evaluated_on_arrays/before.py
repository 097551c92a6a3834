"""Every process evaluates arrays as a whole: when training ends is for rank 0 to say."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 1e9
for epoch in range(20):
    for data, target in train_loader:
        optimizer.zero_grad()
        criterion(model(data), target).backward()
        optimizer.step()
    with torch.no_grad():
        val = criterion(model(x[320:]), y[320:]).item()
    print(val)
    if val < best:
        best = val
        waited = 0
    else:
        waited += 1
    if waited > 2:
        break
