"""ReduceLROnPlateau on the validation loss, as often as it can."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)
x = torch.randn(130, 6)
y = x @ torch.randn(6, 1) + 0.5 * torch.randn(130, 1)
train_loader = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=20, shuffle=True)
val_loader = DataLoader(TensorDataset(x[80:], y[80:]), batch_size=10)
model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
criterion = nn.MSELoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, threshold=0.05)

for epoch in range(8):
    model.train()
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets) / len(inputs)
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for inputs, targets in val_loader:
            total += criterion(model(inputs), targets).item()
    total /= len(val_loader.dataset)
    scheduler.step(total)
    print(f'{epoch}: {total:.5f}')
