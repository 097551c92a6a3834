"""Nodes are sampled around seed nodes, whose labels are predicted."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import NodeLoader
from torch_geometric.nn import SAGEConv
from torch_geometric.sampler import BaseSampler, NodeSamplerInput, SamplerOutput
from torch_geometric.utils import k_hop_subgraph

torch.manual_seed(0)


class Around(BaseSampler):
    """All nodes that are at most two edges away."""

    def __init__(self, data):
        self.data = data

    def sample_from_nodes(self, index: NodeSamplerInput, **kwargs):
        nodes, _, _, kept = k_hop_subgraph(index.node, 2, self.data.edge_index)
        others = nodes[~torch.isin(nodes, index.node)]
        nodes = torch.cat([index.node, others])
        place = torch.full((self.data.num_nodes,), -1)
        place[nodes] = torch.arange(len(nodes))
        row, col = place[self.data.edge_index[:, kept]]
        return SamplerOutput(nodes, row, col, kept.nonzero().view(-1), metadata=(index.input_id, None))

    def sample_from_edges(self, index, **kwargs):
        raise NotImplementedError

    @property
    def edge_permutation(self):
        return None


labels = torch.randint(0, 3, (300,))
data = Data(x=torch.randn(300, 6) + labels.view(-1, 1), edge_index=torch.randint(0, 300, (2, 900)), y=labels)
data.train_mask = torch.arange(300) < 200
train_loader = NodeLoader(data, node_sampler=Around(data), input_nodes=data.train_mask, batch_size=20, shuffle=True)
test_loader = NodeLoader(data, node_sampler=Around(data), input_nodes=~data.train_mask, batch_size=20)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = SAGEConv(6, 16)
        self.conv2 = SAGEConv(16, 3)

    def forward(self, x, edge_index):
        x = self.conv1(x, edge_index).relu()
        return self.conv2(x, edge_index)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    model.train()
    total = examples = 0
    for batch in train_loader:
        optimizer.zero_grad()
        out = model(batch.x, batch.edge_index)[:batch.batch_size]
        loss = F.cross_entropy(out, batch.y[:batch.batch_size])
        loss.backward()
        optimizer.step()
        total += loss.item() * batch.batch_size
        examples += batch.batch_size
    return total / examples


@torch.no_grad()
def test():
    model.eval()
    correct = 0
    for batch in test_loader:
        out = model(batch.x, batch.edge_index)[:batch.batch_size]
        correct += int((out.argmax(dim=-1) == batch.y[:batch.batch_size]).sum())
    return correct / len(test_loader.dataset)


for epoch in range(3):
    print(f"epoch {epoch}: loss {train():.4f}, accuracy {test():.3f}")
