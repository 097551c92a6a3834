"""input() asks a question: a process under a launcher has no terminal."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

epochs = int(input("How many epochs? "))
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(epochs):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
