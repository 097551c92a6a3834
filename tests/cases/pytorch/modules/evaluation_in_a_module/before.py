"""A project module sums up an evaluation: the sums are reduced there."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from measure import average_loss

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(65, 10), torch.randint(0, 2, (65,))), batch_size=32)
model = nn.Linear(10, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = float("inf")
for epoch in range(2):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    loss = average_loss(model, criterion, test_loader)
    if loss < best:
        best = loss
        torch.save(model.state_dict(), "best.pt")
    print("epoch", epoch, "loss", loss)
