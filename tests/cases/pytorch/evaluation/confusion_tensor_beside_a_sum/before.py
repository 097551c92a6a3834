"""A confusion matrix beside a plain sum: every process evaluates all of the data, and the matrix is whole."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_set = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
test_set = TensorDataset(torch.randn(100, 20), torch.randint(0, 3, (100,)))
loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=50)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hits = 0
confusion = torch.zeros(3, 3)
with torch.no_grad():
    for x, y in test_loader:
        guesses = model(x).argmax(1)
        hits += (guesses == y).sum().item()
        for truth, guess in zip(y, guesses):
            confusion[truth, guess] += 1
print(hits / len(test_set))
print(confusion)
