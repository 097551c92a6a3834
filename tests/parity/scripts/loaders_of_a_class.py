"""A class that derives from DataLoader makes the loader for training and the one to evaluate."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Batches(DataLoader):
    def __init__(self, data, batch_size, shuffle=True):
        self.n_samples = len(data)
        super().__init__(data, batch_size=batch_size, shuffle=shuffle)
        self.steps = len(self)


torch.manual_seed(0)
x = torch.randn(94, 4)
y = (x @ torch.randn(4, 3)).argmax(1)
train_loader = Batches(TensorDataset(x[:64], y[:64]), 8)
test_loader = Batches(TensorDataset(x[64:], y[64:]), 7, shuffle=False)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    total = 0.0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
    print(epoch, total / train_loader.steps, correct / test_loader.n_samples)
