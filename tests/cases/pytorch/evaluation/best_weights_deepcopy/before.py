"""The best weights are kept in memory (copy.deepcopy of the state dict) and loaded back at the end."""
import copy
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(400, 6), torch.randn(400, 1)), batch_size=20, shuffle=True)
val_dl = DataLoader(TensorDataset(torch.randn(60, 6), torch.randn(60, 1)), batch_size=20)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
best_loss = float('inf')
best_model_wts = copy.deepcopy(model.state_dict())

for epoch in range(5):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            sse += nn.functional.mse_loss(model(x), y, reduction='sum').item()
    if sse < best_loss:
        best_loss = sse
        best_model_wts = copy.deepcopy(model.state_dict())

model.load_state_dict(best_model_wts)
torch.save(model.state_dict(), 'best_model.pt')
print('best sse', best_loss)
