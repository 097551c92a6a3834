"""A pass by iter() in its head begins anew each time: the sampler is told the epoch, and an evaluation is shared out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
test_data = TensorDataset(x[256:], y[256:])
train_loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True)
test_loader = DataLoader(test_data, batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    running = 0.0
    for i, batch in enumerate(iter(train_loader)):
        inputs, labels = batch
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    correct = 0
    with torch.no_grad():
        for inputs, labels in iter(test_loader):
            correct += (model(inputs).argmax(1) == labels).sum().item()
    print(epoch, running / len(train_loader), correct / len(test_data))
