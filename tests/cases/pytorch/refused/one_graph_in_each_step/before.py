"""Each step is given the one graph: its nodes are no samples that stand by themselves."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
dataset = Planetoid("data", "Cora")
data = dataset[0]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = torch.nn.ModuleList([GCNConv(dataset.num_features, 16), GCNConv(16, dataset.num_classes)])

    def forward(self, x, edge_index):
        for conv in self.convs:
            x = conv(x, edge_index).relu()
        return x


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    out = model(data.x, data.edge_index)
    loss = F.cross_entropy(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
    print(f"Epoch: {epoch:03d}, Loss: {loss.item():.4f}")
