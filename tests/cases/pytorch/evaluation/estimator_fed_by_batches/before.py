"""An estimator is fed batch by batch: it has to see all of them, so every process evaluates all."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1500], y[:1500]), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

probe = SGDClassifier(random_state=0)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            predicted = model(inputs).argmax(1)
            correct += (predicted == labels).sum().item()
            probe.partial_fit(model(inputs).numpy(), labels.numpy(), range(10))
    print(epoch, correct / len(test_loader.dataset), probe.score(X, y))
