"""A training with an evaluation of some samples that no number of processes divides."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(61, 10)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=8)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for epoch in range(3):
    model.train()
    total = 0.0
    for a, b in train_loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(f"epoch {epoch}: loss {total / 48:.5f}, accuracy {correct / 13:.2%}")
torch.save(model.state_dict(), "model.pt")
