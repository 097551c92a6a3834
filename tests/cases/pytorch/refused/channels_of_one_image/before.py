"""One image without a dimension for samples: its first dimension has the channels."""
import torch
from torch import nn
torch.manual_seed(0)
image = torch.rand(4, 16, 16)
target = torch.rand(4, 16, 16)
net = nn.Conv2d(4, 4, 3, padding=1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(100):
    loss = nn.functional.mse_loss(net(image), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
