"""The class derives from a second class of a library, which may change what a loader gives."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from collections.abc import MutableSequence


class Batches(DataLoader, MutableSequence):
    def count(self):
        return len(self.dataset)


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, batch_size=8, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
