"""What is drawn on the axes of a figure is reduced, or told, as what is drawn by a function of pyplot is."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12, shuffle=True)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
losses, squares = [], []
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        squares.append(loss.item() ** 2)
fig, axes = plt.subplots(1, 2)
axes[0].plot(losses)
for ax, values in zip(axes.flat, [squares, squares]):
    ax.set_title("squares")
    ax.plot(values)
fig.savefig("losses.png")
