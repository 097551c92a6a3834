"""A mean over samples that were chosen, and put together with others along their features."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,))), batch_size=32, shuffle=True)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        out = model(x)
        kept = y > 0
        both = torch.cat([out[kept], out[kept] * 2], dim=1)
        loss = both.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
