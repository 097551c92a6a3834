"""A class that derives from DataLoader makes the loader for training and the one to evaluate."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Batches(DataLoader):
    def __init__(self, data, size):
        self.n_samples = len(data)
        super().__init__(data, batch_size=size, shuffle=True)


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8)
test_loader = Batches(test_set, 8)
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
    print(epoch, train_loader.n_samples, correct / test_loader.n_samples)
