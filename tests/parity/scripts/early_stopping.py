"""Training ends when the held-out loss stops falling; an epoch, when a batch is fitted; no batch may be too bad."""

import copy
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EarlyStopping:
    def __init__(self, patience, delta=0.0):
        self.patience = patience
        self.delta = delta
        self.counter = 0
        self.best = None
        self.weights = None
        self.stop = False

    def __call__(self, loss, model):
        if self.best is None or loss < self.best - self.delta:
            self.best = loss
            self.counter = 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.counter += 1
            print(f"no better for {self.counter} epochs")
            self.stop = self.counter >= self.patience


torch.manual_seed(3)
x = torch.randn(160, 6)
y = x[:, :1] - x[:, 1:2] + 0.5 * torch.randn(160, 1)
train_loader = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=24, shuffle=True)
held_out = DataLoader(TensorDataset(x[96:], y[96:]), batch_size=16)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
early_stopping = EarlyStopping(patience=2, delta=0.02)

for epoch in range(30):
    model.train()
    for step, (inputs, targets) in enumerate(train_loader):
        loss = nn.functional.mse_loss(model(inputs), targets)
        if not math.isfinite(loss.item()):
            raise ValueError(f"loss is {loss.item()}")
        if loss.item() > 2:
            print("skipped", step)
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.25:
            print("fitted at step", step)
            break
    model.eval()
    total = 0.0
    with torch.no_grad():
        for inputs, targets in held_out:
            total += nn.functional.mse_loss(model(inputs), targets, reduction="sum").item()
    mean = total / len(held_out.dataset)
    print(f"{epoch}: {mean:.4f}")
    early_stopping(mean, model)
    if early_stopping.stop:
        print("stopped")
        break
model.load_state_dict(early_stopping.weights)
torch.save(model.state_dict(), "early_stopping.pt")
