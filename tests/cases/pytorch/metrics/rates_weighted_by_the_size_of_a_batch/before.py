"""How well masks overlap is a ratio of sums over a batch, which counts as often as the batch has samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n):
        self.total += value * n
        self.count += n


torch.manual_seed(0)
images = torch.randn(96, 1, 8, 8)
masks = (images > 0).float()
loader = DataLoader(TensorDataset(images[:64], masks[:64]), batch_size=16, shuffle=True)
held_out = DataLoader(TensorDataset(images[64:], masks[64:]), batch_size=12)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def overlap(logits, masks):
    chosen = (logits > 0).float()
    both = (chosen * masks).sum()
    return ((both + 1e-6) / (chosen.sum() + masks.sum() - both + 1e-6)).item()


for epoch in range(2):
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    meter = Meter()
    model.eval()
    with torch.no_grad():
        for inputs, targets in held_out:
            meter.update(overlap(model(inputs), targets), len(inputs))
    model.train()
    print(f"epoch {epoch}: {meter.total / meter.count:.3f}")
