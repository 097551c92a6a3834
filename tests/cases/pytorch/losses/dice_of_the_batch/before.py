"""The Dice of a batch is a ratio of sums over it, computed in training and, without gradients, in evaluation."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        probs = torch.sigmoid(logits).view(-1)
        targets = targets.view(-1)
        intersection = (probs * targets).sum()
        dice = (2.0 * intersection + self.smooth) / (probs.sum() + targets.sum() + self.smooth)
        return 1 - dice


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), (torch.rand(64, 4) > 0.5).float())
loader = DataLoader(data, batch_size=16, shuffle=True)
val_loader = DataLoader(data, batch_size=16)
model = nn.Linear(16, 4)
criterion = DiceLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
    model.train()
    print(epoch, val_loss / len(val_loader))
