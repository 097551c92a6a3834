"""The loader is made anew in each epoch: without set_epoch the new sampler would give the same order each time."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

X = torch.randn(1000, 8)
Y = X @ torch.randn(8, 1)
train_ds = TensorDataset(X, Y)

model = nn.Linear(8, 1)
optimizer = optim.SGD(model.parameters(), lr=0.05)
loss_fn = nn.MSELoss()

for ep in range(10):
    train_dl = DataLoader(train_ds, batch_size=50, shuffle=True)
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss_fn(model(xb), yb).backward()
        optimizer.step()
    print('epoch', ep)
