"""An iterator that is made once is used up by the first pass: it is no loader that begins anew."""
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
held_out = iter(test_loader)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for i, (inputs, labels) in enumerate(held_out):
            correct += (model(inputs).argmax(1) == labels).sum().item()
            if i == 0:
                break
    print(epoch, correct / 16)
