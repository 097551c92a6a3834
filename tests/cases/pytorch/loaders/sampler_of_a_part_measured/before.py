"""The loss is divided by the length of the loader's sampler, which is that of the part that it draws from."""
import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

torch.manual_seed(1)
inputs = torch.randn(500, 5)
data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
order = torch.randperm(len(data)).tolist()
train_loader = DataLoader(data, batch_size=20, sampler=SubsetRandomSampler(order[100:]))
valid_loader = DataLoader(data, batch_size=20, sampler=SubsetRandomSampler(order[:100]))
model = nn.Linear(5, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = float("inf")
for epoch in range(4):
    train_loss = valid_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * x.size(0)
    with torch.no_grad():
        for x, y in valid_loader:
            valid_loss += criterion(model(x), y).item() * x.size(0)
    train_loss = train_loss / len(train_loader.sampler)
    valid_loss = valid_loss / len(valid_loader.sampler)
    print(f"{epoch}: {train_loss:.4f} {valid_loss:.4f}")
    if valid_loss < best:
        best = valid_loss
        torch.save(model.state_dict(), "best.pt")
