"""A rate finder trains a deep copy of the model first, with an optimizer of its own."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
criterion = nn.MSELoss()


def find_rate(model):
    trial = copy.deepcopy(model)
    optimizer = torch.optim.SGD(trial.parameters(), lr=1e-6)
    best_rate, best_loss, rate = 1e-6, float("inf"), 1e-6
    for x, y in loader:
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = criterion(trial(x), y)
        loss.backward()
        optimizer.step()
        if loss.item() < best_loss:
            best_rate, best_loss = rate, loss.item()
        rate *= 1.5
    return best_rate / 10


model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=find_rate(model))
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
