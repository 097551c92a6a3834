"""A loader that samples the neighbours of nodes in one graph: how to share it out is not known."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import Reddit
from torch_geometric.loader import ShaDowKHopSampler
from torch_geometric.nn import SAGEConv
from tqdm import tqdm


class Net(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.conv = SAGEConv(features, classes)

    def forward(self, data):
        return self.conv(data.x, data.edge_index)


dataset = Reddit("data")
train_loader = ShaDowKHopSampler(dataset[0], depth=2, num_neighbors=25, batch_size=1024, shuffle=True)
model = Net(dataset.num_features, dataset.num_classes)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(10):
    for step, data in enumerate(tqdm(train_loader)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), data.y)
        loss.backward()
        optimizer.step()
