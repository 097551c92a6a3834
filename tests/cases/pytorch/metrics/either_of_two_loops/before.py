"""The last loss is that of the evaluation, which every process makes in full: it is not added up."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(384, 10), torch.randint(0, 2, (384,))
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(10, 2)
criterion = nn.CrossEntropyLoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(2):
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for inputs, targets in test_loader:
            loss = criterion(model(inputs), targets)
    print(epoch, loss.item())
