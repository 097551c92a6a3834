"""Weights kept in memory by a validation with dropout on: each process would go on with other ones."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
X_val, y_val = X[320:], Y[320:]
loader = DataLoader(TensorDataset(X[:320], Y[:320]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(X_val, y_val), batch_size=32)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best, best_weights = 1e9, None
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        val_loss = criterion(model(X_val), y_val).item()
    if val_loss < best:
        best = val_loss
        best_weights = copy.deepcopy(model.state_dict())
model.load_state_dict(best_weights)
model.eval()
correct = 0
for x, y in test_loader:
    correct += (model(x).argmax(1) == y).sum().item()
print(correct / len(test_loader.dataset))
