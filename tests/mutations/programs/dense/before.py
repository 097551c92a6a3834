"""BatchNorm, a loader that is shuffled, sums and a saved file."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(303, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()
train_set, test_set = TensorDataset(x[:203], y[:203]), TensorDataset(x[203:], y[203:])
train_loader = DataLoader(train_set, batch_size=24, shuffle=True)
test_loader = DataLoader(test_set, batch_size=16)

model = nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(3):
    model.train()
    total = 0.0
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)

    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(f"epoch {epoch}: loss {total / 203:.5f}, {correct} of {len(test_set)} right")

torch.save(model.state_dict(), "model.pt")
