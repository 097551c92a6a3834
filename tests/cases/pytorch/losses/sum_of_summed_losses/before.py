"""Two summed losses are added where the backward pass starts: their sum is scaled as a whole."""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 3)), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        a = F.mse_loss(out, y, reduction="sum")
        b = F.l1_loss(out, y, reduction="sum")
        (a + b).backward()
        optimizer.step()
