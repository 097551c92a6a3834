"""Dice of a library of models compares whole batches: a run shows that it is no mean over the samples."""

import segmentation_models_pytorch as smp
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(64, 3, 32, 32), torch.zeros(64, 1, 32, 32))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = smp.Unet("resnet18", classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = smp.losses.DiceLoss("binary")
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).mean().backward()
        optimizer.step()
