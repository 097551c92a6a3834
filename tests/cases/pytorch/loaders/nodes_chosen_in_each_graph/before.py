"""Layers that leave some nodes of each graph tell the graphs of those that are left."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GraphConv, SAGPooling, TopKPooling, global_max_pool, global_mean_pool
from torch_geometric.utils import scatter

torch.manual_seed(0)
dataset = TUDataset("data", name="PROTEINS").shuffle()
train_loader = DataLoader(dataset[100:], batch_size=60, shuffle=True)
test_loader = DataLoader(dataset[:100], batch_size=60)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GraphConv(dataset.num_features, 64)
        self.pool1 = TopKPooling(64, ratio=0.8)
        self.conv2 = GraphConv(64, 64)
        self.pool2 = SAGPooling(64, min_score=0.01)
        self.out = torch.nn.Linear(128, dataset.num_classes)

    def forward(self, data):
        x, edge_index, batch = data.x, data.edge_index, data.batch
        x = F.relu(self.conv1(x, edge_index))
        x, edge_index, _, batch, perm, score = self.pool1(x, edge_index, None, batch)
        attention = scatter(score * data.x[perm, 0], batch, reduce="mean")
        x = F.relu(self.conv2(x, edge_index))
        x, edge_index, _, batch, _, _ = self.pool2(x, edge_index, batch=batch)
        x = torch.cat([global_max_pool(x, batch), global_mean_pool(x, batch)], dim=1)
        return F.log_softmax(self.out(x), dim=-1), attention


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)


def train():
    model.train()
    total = 0
    for data in train_loader:
        optimizer.zero_grad()
        output, attention = model(data)
        loss = F.nll_loss(output, data.y) + 0.1 * attention.mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * data.num_graphs
    return total / len(train_loader.dataset)


def test():
    model.eval()
    correct = 0
    for data in test_loader:
        correct += model(data)[0].argmax(dim=1).eq(data.y).sum().item()
    return correct / len(test_loader.dataset)


for epoch in range(1, 51):
    print(f"Epoch: {epoch:03d}, Loss: {train():.4f}, Test: {test():.4f}")
