"""loss.item() * inputs.size(0), over len(dataset): a sum over samples, exact once it is reduced."""
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from torch.utils.data import DataLoader, TensorDataset

X, y = load_diabetes(return_X_y=True)
dataset = TensorDataset(torch.tensor(X).float(), torch.tensor(y).float().unsqueeze(1) / 100)
loader = DataLoader(dataset, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)

for epoch in range(20):
    epoch_loss = 0.0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * inputs.size(0)
    epoch_loss = epoch_loss / len(dataset)
    print('epoch', epoch, 'loss', round(epoch_loss, 4))
