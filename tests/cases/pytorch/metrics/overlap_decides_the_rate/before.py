"""How well masks overlap is a ratio of sums over a batch, and decides the learning rate."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.randn(64, 1, 8, 8)
loader = DataLoader(TensorDataset(images, (images > 0).float()), batch_size=16, shuffle=True)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=0)


def overlap(logits, masks):
    chosen = (logits > 0).float()
    both = (chosen * masks).sum()
    return ((both + 1e-6) / (chosen.sum() + masks.sum() - both + 1e-6)).item()


for epoch in range(2):
    total = 0.0
    for inputs, masks in loader:
        logits = model(inputs)
        loss = criterion(logits, masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += overlap(logits, masks)
    print(f"epoch {epoch}: {total / len(loader):.3f}")
    scheduler.step(total / len(loader))
