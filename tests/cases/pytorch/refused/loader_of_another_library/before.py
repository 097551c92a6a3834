"""A loader of another library deals in graphs, not samples: how to share it out is not known."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool
from tqdm import tqdm


class Net(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.conv = GCNConv(features, 64)
        self.out = torch.nn.Linear(64, classes)

    def forward(self, data):
        x = F.relu(self.conv(data.x, data.edge_index))
        return self.out(global_mean_pool(x, data.batch))


dataset = TUDataset("data", name="PROTEINS")
train_loader = DataLoader(dataset[:900], batch_size=64, shuffle=True)
model = Net(dataset.num_features, dataset.num_classes)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(10):
    for step, data in enumerate(tqdm(train_loader)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), data.y)
        loss.backward()
        optimizer.step()
