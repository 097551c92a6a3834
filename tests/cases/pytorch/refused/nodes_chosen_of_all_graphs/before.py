"""Without the numbers of the graphs, the best nodes of all graphs of a batch are chosen."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GraphConv, TopKPooling

torch.manual_seed(0)
train_loader = DataLoader(TUDataset("data", name="PROTEINS"), batch_size=60, shuffle=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GraphConv(3, 64)
        self.pool = TopKPooling(64, ratio=0.5)

    def forward(self, data):
        x = F.relu(self.conv(data.x, data.edge_index))
        return self.pool(x, data.edge_index)[0]


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        loss = model(data).square().sum()
        loss.backward()
        optimizer.step()
