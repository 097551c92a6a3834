"""The loader for training is a plain one; that of a class derived from DataLoader is only evaluated on."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class InOrder(DataLoader):
    def __init__(self, data):
        super().__init__(data, batch_size=10, shuffle=False)
        self.n_samples = len(data)


class NeverMade(DataLoader):
    def __iter__(self):
        yield from ()


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
test_loader = InOrder(test_set)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, correct / test_loader.n_samples)
