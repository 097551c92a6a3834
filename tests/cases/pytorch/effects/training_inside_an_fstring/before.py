"""An f-string trains and evaluates: each call gets a name in front of it, with what is changed within it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=20)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def train(model, loader, opt):
    model.train()
    total = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


def evaluate(model, loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for xb, yb in loader:
            right += (model(xb).argmax(1) == yb).sum().item()
    return right / len(loader.dataset)


for epoch in range(3):
    print(f"{epoch}: {train(model=model, loader=loader, opt=opt)=:.4f}", round(evaluate(model, test_loader), 3))
