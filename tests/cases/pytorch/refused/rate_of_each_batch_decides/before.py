"""A rate of each shard, and not of the batch, would decide the learning rate."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.randn(64, 1, 8, 8)
masks = (images > 0).float() * 255
loader = DataLoader(TensorDataset(images, masks), batch_size=16, shuffle=True)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)


def precision(chosen, masks):
    chosen, masks = chosen > 0, masks == torch.max(masks)
    return float(torch.sum(chosen & masks)) / (float(torch.sum(chosen)) + 1e-6)


for epoch in range(2):
    score = 0.0
    for inputs, targets in loader:
        logits = model(inputs)
        loss = criterion(logits, targets / 255)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        score += precision(logits, targets)
    scheduler.step(1 - score / len(loader))
