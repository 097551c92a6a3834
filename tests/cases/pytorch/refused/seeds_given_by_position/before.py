"""Arguments of a loader by seed nodes that are given by their position."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv

torch.manual_seed(0)
data = Planetoid("data", "Cora")[0]
loader = NeighborLoader(data, [10], data.train_mask, batch_size=64, shuffle=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = SAGEConv(1433, 7)

    def forward(self, x, edge_index):
        return self.conv(x, edge_index)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(10):
    for batch in loader:
        optimizer.zero_grad()
        out = model(batch.x, batch.edge_index)
        loss = F.cross_entropy(out[:batch.batch_size], batch.y[:batch.batch_size])
        loss.backward()
        optimizer.step()
