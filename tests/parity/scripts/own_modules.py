"""Model and data set come from the script's own modules."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader

from own_modules_data import Waves
from own_modules_net import WaveNet, count_parameters

torch.manual_seed(17)

train_data = Waves(length=160, seed=1)
val_data = Waves(length=60, seed=2)
train_loader = DataLoader(train_data, batch_size=16, shuffle=True)
val_loader = DataLoader(val_data, batch_size=16)

model = WaveNet(hidden=12)
print('parameters:', count_parameters(model))
optimizer = optim.RMSprop(model.parameters(), lr=0.005)
criterion = nn.CrossEntropyLoss()

best_val = float('inf')
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    model.eval()
    val_loss = 0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
    val_loss /= len(val_loader)
    print(f'epoch {epoch}: val loss {val_loss:.5f}')
    if val_loss < best_val:
        best_val = val_loss
        torch.save(model.state_dict(), 'best.pt')
