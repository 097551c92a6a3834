"""A print trains: every process does, with the wrapped model and after the epoch of the sampler is set."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
loader = DataLoader(train_set, batch_size=32, shuffle=True)
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


for epoch in range(3):
    print("epoch", epoch, "loss", train(model, loader, opt))
torch.save(model.state_dict(), "m.pt")
