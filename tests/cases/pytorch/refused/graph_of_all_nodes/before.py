"""Nodes of a graph are no samples that stand by themselves: each takes from its neighbours."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, labels = torch.randn(100, 16), torch.randint(0, 3, (100,))
adjacency = (torch.rand(100, 100) > 0.9).float()


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(16, 32), nn.Linear(32, 3)

    def forward(self, x, adjacency):
        x = F.relu(adjacency @ self.first(x))
        return adjacency @ self.last(x)


model = GCN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    loss = F.cross_entropy(model(x, adjacency), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
