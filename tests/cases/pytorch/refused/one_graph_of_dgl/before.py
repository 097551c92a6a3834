"""The graph of a data set of DGL, and messages that the script's own layer passes along its edges."""
import dgl.function as fn
import torch
import torch.nn.functional as F
from dgl.data import CoraGraphDataset
from torch import nn

torch.manual_seed(0)
graph = CoraGraphDataset()[0]
features, labels, mask = graph.ndata["feat"], graph.ndata["label"], graph.ndata["train_mask"]


class Layer(nn.Module):
    def __init__(self, size, out):
        super().__init__()
        self.linear = nn.Linear(size, out)

    def forward(self, graph, h):
        with graph.local_scope():
            graph.ndata["h"] = self.linear(h)
            graph.update_all(fn.copy_u("h", "m"), fn.mean("m", "h"))
            return graph.ndata["h"]


model = Layer(1433, 7)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    loss = F.cross_entropy(model(graph, features)[mask], labels[mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
