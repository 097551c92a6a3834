"""loss.item() of the last batch is printed after the inner loop: a mean over ranks at the place where it is printed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(128, 3), torch.randn(128, 1)), batch_size=16, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print('epoch {}, loss {:.4f}'.format(epoch, loss.item()))
