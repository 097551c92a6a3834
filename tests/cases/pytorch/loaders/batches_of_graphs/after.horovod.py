"""Graphs with a label each: nodes pass messages to their neighbours, and each graph is classified."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MLP, GINConv, global_add_pool
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)


def graph(label):
    nodes = int(torch.randint(4, 9, (1,)))
    edges = torch.randint(0, nodes, (2, 2 * nodes))
    return Data(x=torch.randn(nodes, 6) + label, edge_index=edges, y=torch.tensor([label]))


graphs = [graph(number % 3) for number in range(192)]
if 24 % hvd.size() != 0:
    raise SystemExit(f"batch size 24 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(graphs[:144], num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(graphs[:144], batch_size=24 // hvd.size(), sampler=train_sampler)
test_sampler = range(hvd.rank(), len(graphs[144:]), hvd.size())
test_loader = DataLoader(graphs[144:], batch_size=24, sampler=test_sampler)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        for width in (6, 16):
            self.convs.append(GINConv(MLP([width, 16, 16], norm=None)))
        self.out = torch.nn.Linear(16, 3)

    def forward(self, x, edge_index, batch):
        for conv in self.convs:
            x = conv(x, edge_index).relu()
        return self.out(global_add_pool(x, batch))


device = torch.device("cpu")
model = Net().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


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
    total = hvd.allreduce(torch.tensor(total_loss, dtype=torch.float64), op=hvd.Sum)
    total_loss = total.item()
    return total_loss / train_loader.sampler.total_size


@torch.no_grad()
def test(loader):
    model.eval()
    total_correct = 0
    for data in loader:
        data = data.to(device)
        pred = model(data.x, data.edge_index, data.batch).argmax(dim=-1)
        total_correct += int((pred == data.y).sum())
    total = hvd.allreduce(torch.tensor(total_correct, dtype=torch.float64), op=hvd.Sum)
    total_correct = int(total)
    return total_correct / len(loader.dataset)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    loss = train()
    test_result = test(test_loader)
    if hvd.rank() == 0:
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {test_result:.3f}")
hvd.shutdown()
