"""The numbers of the graphs are set to others, by which all nodes of a batch are those of one graph."""
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
        return self.out(global_mean_pool(x, data.batch))
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        data.batch = torch.zeros(data.num_nodes, dtype=torch.long)
        out = model(data)
        loss = F.mse_loss(out, data.y)
        loss.backward()
        optimizer.step()
