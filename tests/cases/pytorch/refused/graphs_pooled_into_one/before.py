"""Without the numbers of the graphs, all nodes of a batch are pooled into one."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool

torch.manual_seed(0)
train_loader = DataLoader(TUDataset("data", name="MUTAG"), batch_size=32, shuffle=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.out = torch.nn.Linear(16, 1)

    def forward(self, data):
        x = self.conv(data.x, data.edge_index)
        return self.out(x - global_mean_pool(x, None))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        loss = model(data).square().sum()
        loss.backward()
        optimizer.step()
