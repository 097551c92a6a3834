"""A function trains if it is given an optimizer; the epoch is given, too."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(loader, epoch, optimizer):
    train = True if optimizer else False
    model.train(train)
    total, correct, count = 0.0, 0, 0
    with torch.set_grad_enabled(train):
        for inputs, labels in loader:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            if optimizer:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
            correct += (outputs.argmax(1) == labels).sum().item()
            count += len(labels)
    return total / count, correct / count


for epoch in range(3):
    train_loss, train_acc = run(train_loader, epoch, optimizer)
    test_loss, test_acc = run(test_loader, epoch, None)
    print(f"{epoch} {train_loss:.4f} {train_acc:.4f} {test_loss:.4f} {test_acc:.4f}")
