"""A sampler for training alone, in a function that makes both loaders; the last batch of the evaluation is shown."""

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset


def make_loader(ds, train):
    sampler = RandomSampler(ds) if train else None
    return DataLoader(ds, sampler=sampler, batch_size=8)


torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = make_loader(train_set, True)
test_loader = make_loader(test_set, False)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            out = model(x)
            correct += (out.argmax(1) == y).sum().item()
    print(out[0], epoch, correct / len(test_set))
