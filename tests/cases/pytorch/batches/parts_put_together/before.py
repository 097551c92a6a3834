"""The parts of a batch are put together: beside each other, and behind a new dimension."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), batch_size=16, shuffle=True)
model = nn.Linear(16, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        beside, middle = torch.cat(batch, 1), torch.stack(batch).mean(0)
        optimizer.zero_grad()
        loss = ((model(beside) - middle) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
