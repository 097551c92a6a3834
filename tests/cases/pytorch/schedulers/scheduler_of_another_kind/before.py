"""scheduler is one of the standard library, and step() one of the user's: nothing to do with learning rates."""
import sched
import time
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

scheduler = sched.scheduler(time.time, time.sleep)
ticks = []


class Walker:
    def step(self):
        ticks.append(1)


scheduler.enter(0.01, 1, Walker().step)
scheduler.run()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
