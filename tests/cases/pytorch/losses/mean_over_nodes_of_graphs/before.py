"""Each node has a label: processes have unequal numbers of nodes, and the mean over all is not the mean of theirs."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import PPI
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATConv

torch.manual_seed(0)
train_loader = DataLoader(PPI("data/PPI", split="train"), batch_size=2, shuffle=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GATConv(50, 64, heads=4)
        self.conv2 = GATConv(256, 121, heads=6, concat=False)

    def forward(self, x, edge_index):
        return self.conv2(F.elu(self.conv1(x, edge_index)), edge_index)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(5):
    for data in train_loader:
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(data.x, data.edge_index), data.y)
        loss.backward()
        optimizer.step()
