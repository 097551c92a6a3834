"""Batch normalisation behind the pooling of graphs has one value for each graph: a last batch of one is too small."""

import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Linear
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_add_pool


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.norm = BatchNorm1d(16)
        self.head = Linear(16, 2)

    def forward(self, x, edge_index, batch):
        x = F.relu(self.conv(x, edge_index))
        x = global_add_pool(x, batch)
        return self.head(self.norm(x))


torch.manual_seed(0)
dataset = TUDataset("data", name="MUTAG")
loader = DataLoader(dataset[:97], batch_size=16, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for data in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data.x, data.edge_index, data.batch), data.y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
