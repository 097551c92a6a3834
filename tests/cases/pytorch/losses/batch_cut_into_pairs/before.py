"""Both halves of a batch, compared with each other."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 4))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        z = model(x).view(2, -1, 4)
        loss = -F.cosine_similarity(z[0], z[1], dim=-1).mean()
        loss.backward()
        optimizer.step()
