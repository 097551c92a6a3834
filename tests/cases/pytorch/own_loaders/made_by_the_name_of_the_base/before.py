"""The base is called by its name, with the object as an argument."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Batches(DataLoader):
    def __init__(self, data, size):
        self.size = size
        DataLoader.__init__(self, data, batch_size=size, shuffle=True)


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
