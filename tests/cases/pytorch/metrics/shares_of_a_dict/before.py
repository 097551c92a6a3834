"""A dict that a comprehension goes over is made whole, and so is what it divides each item by."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    sums = {"loss": 0.0, "n": 0}
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        sums["loss"] += loss.item() * len(x)
        sums["n"] += len(x)
    print({k: v / sums["n"] for k, v in sums.items()})
    print({k: v / sums["n"] for k, v in sums.items()}["loss"])
    print([v / sums["n"] for k, v in sums.items()][0])
