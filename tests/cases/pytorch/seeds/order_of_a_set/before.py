"""The order of a set of strings differs between processes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
words = list(set("the quick brown fox jumps over the lazy dog".split()))
ix = {w: i for i, w in enumerate(words)}
xs = torch.tensor([[ix[w]] for w in ("the quick brown fox jumps over the lazy dog " * 20).split()])
data = TensorDataset(xs.float().expand(-1, 10).contiguous(), torch.zeros(len(xs), dtype=torch.long))
loader = DataLoader(data, batch_size=10, shuffle=True)
torch.manual_seed(0)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
