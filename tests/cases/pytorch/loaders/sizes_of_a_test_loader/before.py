"""A test loader that is shared out by sample keeps its batch size; its sampler is that of one process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=20)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

print("test", test_loader.batch_size, len(test_loader.sampler))
for epoch in range(2):
    for a, b in loader:
        loss = criterion(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(epoch, correct / len(test_loader.sampler), correct / test_loader.batch_size)
