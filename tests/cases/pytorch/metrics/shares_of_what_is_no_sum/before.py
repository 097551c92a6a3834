"""Where only the divisor of a comprehension's items can be made whole, the items are not shown: they are parts."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    sums = {"loss": 0.0, "n": 0}
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y, reduction="sum")
        loss.backward()
        optimizer.step()
        sums["loss"] += loss.item() * len(x)
        sums["n"] += len(x)
    print(dict((k, v / sums["n"]) for k, v in sums.items())["loss"])
