"""One call makes two loaders for training, of which one is shuffled, and one to evaluate."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, train, mixed):
    return DataLoader(data, batch_size=16, shuffle=mixed, drop_last=train)


one = make(TensorDataset(x[:160], y[:160]), True, True)
two = make(TensorDataset(x[160:320], y[160:320]), True, False)
test = make(TensorDataset(x[320:], y[320:]), False, True)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    loader = one if epoch < 2 else two
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in test:
            hits += (model(inputs).argmax(1) == labels).sum().item()
    print(epoch, hits / len(test.dataset))
