"""What a checkpoint holds keeps its type: a mean of NumPy's stays one, and a best value that began as a float is so."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12, shuffle=True)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = float("inf")
for epoch in range(3):
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    mean = np.mean(losses)
    print("epoch %d loss %.4f" % (epoch, mean))
    if mean < best:
        best = mean
        torch.save({"model": model.state_dict(), "loss": best}, "best.pt")
