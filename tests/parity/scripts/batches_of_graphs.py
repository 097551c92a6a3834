"""Graphs with a label each: nodes pass messages to their neighbours, some are chosen, and each graph is classified."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MLP, GINConv, TopKPooling, global_add_pool

torch.manual_seed(0)


def graph(label):
    nodes = int(torch.randint(4, 9, (1,)))
    edges = torch.randint(0, nodes, (2, 2 * nodes))
    return Data(x=torch.randn(nodes, 6) + label, edge_index=edges, y=torch.tensor([label]))


graphs = [graph(number % 3) for number in range(192)]
train_loader = DataLoader(graphs[:144], batch_size=24, shuffle=True)
test_loader = DataLoader(graphs[144:], batch_size=24)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        for width in (6, 16):
            self.convs.append(GINConv(MLP([width, 16, 16], norm=None)))
        self.pool = TopKPooling(16, ratio=0.5)
        self.out = torch.nn.Linear(16, 3)

    def forward(self, x, edge_index, batch):
        for conv in self.convs:
            x = conv(x, edge_index).relu()
        x, _, _, batch, _, _ = self.pool(x, edge_index, batch=batch)
        return self.out(global_add_pool(x, batch))


device = torch.device("cpu")
first = next(iter(train_loader))
print(first.num_graphs, len(first.y))
model = Net().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def train():
    model.train()
    total_loss = 0
    for data in train_loader:
        data = data.to(device)
        optimizer.zero_grad()
        out = model(data.x, data.edge_index, data.batch)
        loss = F.cross_entropy(out, data.y)
        loss.backward()
        optimizer.step()
        total_loss += float(loss) * data.num_graphs
    return total_loss / len(train_loader.dataset)


@torch.no_grad()
def test(loader):
    model.eval()
    total_correct = 0
    for data in loader:
        data = data.to(device)
        pred = model(data.x, data.edge_index, data.batch).argmax(dim=-1)
        total_correct += int((pred == data.y).sum())
    return total_correct / len(loader.dataset)


for epoch in range(3):
    loss = train()
    print(f"epoch {epoch}: loss {loss:.4f}, accuracy {test(test_loader):.3f}")
