"""Tensors made with the batch size meet the global batch: constants as they are, noise of each process gathered."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 16
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,))), batch_size, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, (x, y) in enumerate(loader):
        out = model(x)
        loss = F.cross_entropy(out[: len(out) // 2], y[: len(y) // 2])
        marks = torch.ones((batch_size, 1)) * 0.3
        noise = torch.randn(batch_size, 1) * 0.1
        loss = loss + F.mse_loss(out.view(len(x), -1)[:, :1], marks + noise)
        if i == 0:
            print(epoch, y.dtype)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
