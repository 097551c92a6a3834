"""The same values are reported twice in a row, and once more after one of them has changed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
losses = open("losses.txt", "w")
for epoch in range(4):
    history = []
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if step % 5 == 0:
            error = (model(x) - y).abs().mean().item()
            print(step, loss.item(), error)
            losses.write(f"{loss.item()} {error}\n")
            print(error)
            error = error * 100
            print(error)
    print(history)
    history.append(0.0)
    print(history)
losses.close()
