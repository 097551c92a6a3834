"""What a class derived from DataLoader has of its own stays; its methods read the global batch size."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Base(DataLoader):
    def __init__(self, data, batch_size, **options):
        super(Base, self).__init__(data, batch_size=batch_size, **options)
        self.steps = len(self)
        self.seen_in_full_batches = self.steps * self.batch_size


class Batches(Base):
    def __init__(self, data, batch_size):
        self.n_samples = len(data)
        self.dataset = data
        super().__init__(data, batch_size, shuffle=True, drop_last=True)

    def progress(self, step):
        return f"{step * self.batch_size}/{self.n_samples}"


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8)
test_loader = DataLoader(test_set, batch_size=8)
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
    print(epoch, train_loader.progress(train_loader.steps), train_loader.seen_in_full_batches, correct / len(test_set))
