"""Losses that need sums over the whole batch; of some batches one process has none of the rows that are chosen."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Dice(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        probs, targets = torch.sigmoid(logits).view(-1), targets.view(-1)
        both = (probs * targets).sum()
        return 1 - (2 * both + self.smooth) / (probs.sum() + targets.sum() + self.smooth)


torch.manual_seed(3)
inputs = torch.randn(96, 10)
labels = (inputs[:, :4] + 0.5 * torch.randn(96, 4) > 0.3).float()
chosen = torch.rand(96) < 0.2
chosen[::12] = True
data = TensorDataset(inputs, labels, chosen)
train_loader, test_loader = DataLoader(data, batch_size=12, shuffle=True), DataLoader(data, batch_size=12)
model = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 4))
criterion, dice = nn.MSELoss(), Dice()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    running = 0.0
    for x, y, mask in train_loader:
        logits = model(x)
        errors = F.binary_cross_entropy_with_logits(logits, y, reduction="none").mean(dim=1)
        loss = (errors * mask).sum() / (mask.sum() + 1e-8) + dice(logits, y)
        loss = loss + torch.sqrt(criterion(torch.sigmoid(logits), y)) + 0.1 * (logits - logits.mean(0)).pow(2).mean()
        loss = loss + criterion(logits[mask.bool()], y[mask.bool()])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    score = 0.0
    with torch.no_grad():
        for x, y, _ in test_loader:
            score += dice(model(x), y).item()
    print(f"{epoch} {running / len(train_loader):.5f} {score / len(test_loader):.5f}")
