"""Training ends when the validation loss has not improved; the best weights are loaded again at the end."""
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
x = torch.randn(108, 6)
y = (x[:, 0] > 0).float().unsqueeze(1)
y[::5] = 1 - y[::5]
train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=10)
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.BCEWithLogitsLoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

best, waited, state = float('inf'), 0, None
for epoch in range(12):
    model.train()
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b) / 16
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for a, b in val_loader:
            total += criterion(model(a), b).item()
    loss = total / len(val_loader.dataset)
    print(f'epoch {epoch}: {loss:.5f}')
    if loss < best - 0.003:
        best, waited, state = loss, 0, copy.deepcopy(model.state_dict())
    else:
        waited += 1
        if waited == 2:
            print('no improvement')
            break
torch.save(state, 'best.pt')
