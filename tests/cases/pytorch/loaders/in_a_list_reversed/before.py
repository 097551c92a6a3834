"""A list of loaders is reversed before they are taken out of it: either may be the one that is trained on."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
test_set = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))

loaders = [DataLoader(test_set, batch_size=16), DataLoader(train_set, batch_size=16, shuffle=True)]
loaders.reverse()
train_loader, test_loader = loaders

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, correct / len(test_set))
