"""Batches are rows of a tensor, in the order of a permutation."""
import torch
import torch.nn as nn

X = torch.randn(1000, 10)
Y = X.sum(1, keepdim=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
batch_size = 50
for epoch in range(10):
    permutation = torch.randperm(X.size(0))
    for i in range(0, X.size(0), batch_size):
        idx = permutation[i:i + batch_size]
        loss = nn.functional.mse_loss(model(X[idx]), Y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
