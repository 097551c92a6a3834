"""Evaluations in a comprehension, a generator, a condition and behind map: taken out of the print as wholes, because
each of them holds collectives.
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1000], y[:1000]), batch_size=50, shuffle=True)
val_loader = DataLoader(TensorDataset(X[1000:1400], y[1000:1400]), batch_size=100)
test_loader = DataLoader(TensorDataset(X[1400:], y[1400:]), batch_size=100)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def accuracy(loader):
    correct = 0
    with torch.no_grad():
        for inputs, labels in loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
    return correct / len(loader.dataset)


for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    print(epoch, [accuracy(loader) for loader in (val_loader, test_loader)])
    print("mean", sum(accuracy(loader) for loader in (val_loader, test_loader)) / 2)
    print("test", accuracy(test_loader) if epoch == 2 else "later")
    print(*map(accuracy, [val_loader, test_loader]))
