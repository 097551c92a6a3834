"""A list that a print pops from is popped on every process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(0)
sizes = [320, 10]
print("features", sizes.pop())
data = TensorDataset(torch.randn(sizes[-1], 10), torch.randint(0, 3, (sizes[-1],)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
