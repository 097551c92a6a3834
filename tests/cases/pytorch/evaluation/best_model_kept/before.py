"""The best model is kept by its global accuracy: the comparison must come out the same on all ranks, the file is written once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(900, 10), torch.randint(0, 2, (900,))), batch_size=30, shuffle=True)
val_loader = DataLoader(TensorDataset(torch.randn(99, 10), torch.randint(0, 2, (99,))), batch_size=30)
model = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
best_acc = 0.0

for epoch in range(10):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    acc = correct / len(val_loader.dataset)
    if acc > best_acc:
        best_acc = acc
        torch.save(model.state_dict(), "best.pth")
        print("epoch", epoch, "new best", best_acc)
print("best accuracy", best_acc)
