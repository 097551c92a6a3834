"""The model is compiled; the one that it was made of is evaluated and saved."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 6)
y = (x.sum(dim=1) > 0).long()
train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=8)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
compiled = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(compiled(a), b)
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(dim=1) == b).sum().item()
    print(f"epoch {epoch} accuracy {correct / 16:.3f}")
torch.save(compiled.state_dict(), "model.pt")
