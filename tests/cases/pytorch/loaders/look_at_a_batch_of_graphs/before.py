"""What is looked at is a whole batch of graphs, which the loader's own function puts together."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool

torch.manual_seed(0)
train_loader = DataLoader(TUDataset("data", name="MUTAG"), batch_size=32, shuffle=True)
print(next(iter(train_loader)))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.out = torch.nn.Linear(16, 2)

    def forward(self, data):
        x = self.conv(data.x, data.edge_index).relu()
        return self.out(global_mean_pool(x, data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data), data.y).backward()
        optimizer.step()
