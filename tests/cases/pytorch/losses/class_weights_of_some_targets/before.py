"""Weights of those targets alone that are not ignored."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, criterion, optimizer, device):
    model.train()
    running, seen, correct = 0.0, 0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        out = model(x)
        loss = F.nll_loss(F.log_softmax(out, dim=1), y, weights, ignore_index=2)
        loss.backward()
        optimizer.step()
        running += loss.item() * x.size(0)
        seen += x.size(0)
        correct += (out.argmax(1) == y).sum().item()
    return running / seen, correct / seen


def evaluate(model, loader, criterion, device):
    model.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            total += criterion(model(x), y).item() * y.size(0)
            n += y.size(0)
    return total / n


torch.manual_seed(0)
device = torch.device("cpu")
weights = torch.tensor([1.0, 5.0, 2.0])
X, Y = torch.randn(96, 10), torch.randint(0, 3, (96,))
loader = DataLoader(TensorDataset(X, Y), batch_size=24, shuffle=False)
test_loader = DataLoader(TensorDataset(X, Y), batch_size=20)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(weight=weights.to(device), label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    loss, acc = train(model, loader, criterion, optimizer, device)
    val = evaluate(model, test_loader, criterion, device)
    print(f"{epoch} {loss:.5f} {acc:.3f} {val:.5f}")
