"""Batch normalisation within and behind layers of graphs has a value for each node: one graph is enough."""

import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Linear, ReLU, Sequential
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, GINConv, global_add_pool


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GINConv(nn=Sequential(Linear(7, 16), BatchNorm1d(16), ReLU(), Linear(16, 16)))
        self.conv2 = GCNConv(16, 16)
        self.norm = BatchNorm1d(16)
        self.head = Linear(16, 2)

    def forward(self, x, edge_index, batch):
        x = self.conv1(x, edge_index)
        x = self.norm(F.relu(self.conv2(x, edge_index)))
        return self.head(global_add_pool(x, batch))


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
