"""Graphs with a label each: nodes pass messages to their neighbours, and each graph is classified."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MLP, GINConv, global_add_pool
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)


def graph(label):
    nodes = int(torch.randint(4, 9, (1,)))
    edges = torch.randint(0, nodes, (2, 2 * nodes))
    return Data(x=torch.randn(nodes, 6) + label, edge_index=edges, y=torch.tensor([label]))


graphs = [graph(number % 3) for number in range(192)]
if 24 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 24 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(graphs[:144])
train_loader = DataLoader(graphs[:144], batch_size=24 // dist.get_world_size(), sampler=train_sampler)
test_sampler = range(dist.get_rank(), len(graphs[144:]), dist.get_world_size())
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


def train():
    model.train()
    total_loss = 0
    for data in train_loader:
        data = data.to(device)
        optimizer.zero_grad()
        out = ddp_model(data.x, data.edge_index, data.batch)
        loss = F.cross_entropy(out, data.y)
        loss.backward()
        optimizer.step()
        total_loss += float(loss) * data.num_graphs
    total = torch.tensor(total_loss, dtype=torch.float64)
    dist.all_reduce(total)
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
    total = torch.tensor(total_correct, dtype=torch.float64)
    dist.all_reduce(total)
    total_correct = int(total)
    return total_correct / len(loader.dataset)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    loss = train()
    test_result = test(test_loader)
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {test_result:.3f}")
del ddp_model
dist.destroy_process_group()
