"""The evaluation's data set stands in a mapping: the loader is left whole, without its shuffling."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
settings = dict(dataset=TensorDataset(X[1500:], y[1500:]), batch_size=100, shuffle=True)
train_loader = DataLoader(TensorDataset(X[:1500], y[:1500]), batch_size=50, shuffle=True)
test_loader = DataLoader(**settings)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
    print(epoch, correct / 297)
