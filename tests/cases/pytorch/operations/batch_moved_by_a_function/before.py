"""A function moves each part of a batch, the targets without a column: the loss of [B, 1] and [B] must be refused."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64)
device = torch.device("cpu")


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"x": x[i], "y": y[i]}


loader = DataLoader(Data(), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def move(batch, d):
    return {k: v.to(d) for k, v in batch.items()}


for epoch in range(2):
    total = 0.0
    for batch in loader:
        batch = move(batch, device)
        a, b = batch["x"], batch["y"]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    print(epoch, total / 64)
