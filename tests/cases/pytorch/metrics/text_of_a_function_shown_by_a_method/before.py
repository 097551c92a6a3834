"""A text that a function goes on with, or that is made in another block, has a loss of rank 0's in it: that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def tell(line):
    line += "\n"
    print(line.strip())


for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            text = f"step {step}: {loss.item():.4f}\n"
    print(text.strip())
    tell(f"epoch {epoch}: {loss.item():.4f}")
