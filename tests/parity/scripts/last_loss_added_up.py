"""An evaluation that adds up the last loss of training."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
val = TensorDataset(torch.randn(32, 4), torch.randint(0, 3, (32,)))
train_loader = DataLoader(train, batch_size=8, shuffle=True)
val_loader = DataLoader(val, batch_size=8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss, both, correct = 0.0, 0.0, 0
    with torch.no_grad():
        for x, y in val_loader:
            out = model(x)
            val_loss += loss.item()
            both += criterion(out, y).item() + loss.item()
            correct += (out.argmax(1) == y).sum().item()
    print(epoch, val_loss / len(val_loader), both / len(val_loader), correct / len(val))
