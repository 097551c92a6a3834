"""A flat view of one column has one row for each node, that of the seed nodes first."""

import torch
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv

torch.manual_seed(0)
x = torch.randn(120, 6)
data = Data(x=x, edge_index=torch.randint(0, 120, (2, 600)), y=x.sum(1))
loader = NeighborLoader(data, num_neighbors=[5], batch_size=24, input_nodes=torch.arange(96), shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = SAGEConv(6, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x, edge_index):
        return self.out(torch.relu(self.conv(x, edge_index)))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for batch in loader:
        optimizer.zero_grad()
        out = model(batch.x, batch.edge_index)
        loss = (out.view(-1)[: batch.batch_size] - batch.y[: batch.batch_size]).pow(2).mean()
        loss.backward()
        optimizer.step()
