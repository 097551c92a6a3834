"""A class of the script makes the backward pass, clips and steps."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Scaler:
    def __init__(self):
        self.scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters, limit=None):
        self.scaler.scale(loss).backward()
        if limit is not None:
            self.scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, limit)
        self.scaler.step(optimizer)
        self.scaler.update()


scaler = Scaler()
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = nn.functional.mse_loss(model(x), y)
        scaler(loss, optimizer, model.parameters(), limit=1.0)
