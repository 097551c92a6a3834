"""The loss is summed as a tensor, not as a number (total_loss += loss.data): reduced without touching the user's tensor in place."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(300, 4), torch.randn(300, 1)), batch_size=30, shuffle=True)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
mse = nn.MSELoss()

for epoch in range(6):
    total_loss = 0
    for x, y in loader:
        loss = mse(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.data
    print("epoch: %d, loss: %.4f" % (epoch, total_loss / len(loader)))
