"""A schedule counted in batches, gradients clipped by nothing, weight decay in one of two groups."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
x = torch.randn(120, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW([
    {'params': model[0].parameters(), 'weight_decay': 0.1},
    {'params': model[2].parameters(), 'weight_decay': 0.0},
], lr=1e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.02, epochs=3, steps_per_epoch=len(loader))

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        scheduler.step()
torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict()}, 'cycle.pt')
