"""A part of the batch is divided by its sum over the batch, which is summed up over the processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"x": x[i], "y": y[i]}


loader = DataLoader(Data(), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        batch["w"] = batch["y"] / batch["y"].sum()
        a, b = batch["x"], batch["w"]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    print(epoch, total / 64)
