"""A tensor with a row for each sample is trained: its rows are no data."""
import torch
from torch import nn

torch.manual_seed(0)
images = torch.rand(60, 20)
codes = torch.randn(60, 4, requires_grad=True)
decoder = nn.Linear(4, 20)
optimizer = torch.optim.Adam([codes, *decoder.parameters()], lr=0.01)
for epoch in range(30):
    loss = ((decoder(codes) - images) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
