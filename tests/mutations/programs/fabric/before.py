"""A training whose last batch is a part of one."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(66, 10)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:45], y[:45]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(x[45:], y[45:]), batch_size=8)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for epoch in range(3):
    model.train()
    for a, b in train_loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(f"epoch {epoch}: accuracy {correct / 21:.2%}")
torch.save(model.state_dict(), "model.pt")
