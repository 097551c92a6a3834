"""Without the numbers of the clouds, points of others may be the nearest."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import ModelNet
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MLP, PointNetConv, global_max_pool, knn_graph

torch.manual_seed(0)
train_loader = DataLoader(ModelNet("data", "10", True), batch_size=32, shuffle=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = PointNetConv(MLP([3, 64, 128], norm=None))
        self.head = torch.nn.Linear(128, 10)

    def forward(self, data):
        x = self.conv(None, data.pos, knn_graph(data.pos, k=8))
        return self.head(global_max_pool(x, data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data), data.y).backward()
        optimizer.step()
