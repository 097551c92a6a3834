"""What is looked at is a whole batch of graphs, which the loader's own function puts together."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool
import horovod.torch as hvd
from torch.utils.data import DataLoader as DataLoader_
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    TUDataset("data", name="MUTAG")
hvd.barrier()
train_data = TUDataset("data", name="MUTAG")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
next_result = next(
    iter(DataLoader_(train_loader.dataset, batch_size=32, shuffle=True, collate_fn=train_loader.collate_fn))
)
if hvd.rank() == 0:
    print(next_result)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(7, 16)
        self.out = torch.nn.Linear(16, 2)

    def forward(self, data):
        x = self.conv(data.x, data.edge_index).relu()
        return self.out(global_mean_pool(x, data.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data), data.y).backward()
        optimizer.step()
hvd.shutdown()
