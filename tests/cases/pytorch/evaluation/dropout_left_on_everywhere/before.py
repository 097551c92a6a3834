"""No eval() before an evaluation that every process makes in full: nothing is reduced, so what it decides differs."""
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
loader = DataLoader(TensorDataset(X[:320], Y[:320]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(X[320:], Y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=0)
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    predicted, wanted = [], []
    with torch.no_grad():
        for x, y in val_loader:
            predicted += model(x).argmax(1).tolist()
            wanted += y.tolist()
    score = f1_score(wanted, predicted)
    scheduler.step(score)
    print(epoch, score)
