"""Three random batches are evaluated: every process has to take the same ones, which are the first now; that is said."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1000], y[:1000]), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(X[1000:], y[1000:]), batch_size=100, shuffle=True)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    correct = total = 0
    with torch.no_grad():
        for number, (inputs, labels) in enumerate(test_loader):
            if number == 3:
                break
            correct += (model(inputs).argmax(1) == labels).sum().item()
            total += len(labels)
    print(epoch, correct / total)
