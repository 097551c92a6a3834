"""An LSTM without batch_first on batches that have their samples first runs from sample to sample."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(192, 10, 4), torch.randn(192, 10, 3)), batch_size=16, shuffle=True)
model = nn.LSTM(4, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x)[0], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
