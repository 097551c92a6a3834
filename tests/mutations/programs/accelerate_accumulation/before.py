"""A training that adds up gradients, and goes on in the middle of an epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(57, 10)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:44], y[:44]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(x[44:], y[44:]), batch_size=16)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)

for epoch in range(3):
    model.train()
    for number, (a, b) in enumerate(train_loader):
        if epoch == 0 and number < 2:
            continue
        loss = nn.functional.cross_entropy(model(a), b)
        (loss / 2).backward()
        if number % 2 or number == len(train_loader) - 1:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    print(f"epoch {epoch}: accuracy {correct / 13:.2%}")
