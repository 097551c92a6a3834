"""The best accuracy of a last batch is kept over the epochs: that is nothing that the evaluation sums up."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
train_loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True, drop_last=True)
test_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 0.0
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits = model(inputs).argmax(1) == labels
            accuracy = hits.float().mean().item()
    if accuracy > best:
        best = accuracy
        torch.save(model.state_dict(), "best.pt")
    print(epoch, accuracy, best)
