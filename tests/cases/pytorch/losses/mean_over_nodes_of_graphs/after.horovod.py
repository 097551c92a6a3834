"""Each node has a label: processes have unequal numbers of nodes, and the mean over all is not the mean of theirs."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import PPI
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATConv
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    PPI("data/PPI", split="train")
hvd.barrier()
train_data = PPI("data/PPI", split="train")
if 2 % hvd.size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=2 // hvd.size(), sampler=train_sampler)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GATConv(50, 64, heads=4)
        self.conv2 = GATConv(256, 121, heads=6, concat=False)

    def forward(self, x, edge_index):
        return self.conv2(F.elu(self.conv1(x, edge_index)), edge_index)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for data in train_loader:
        optimizer.zero_grad()
        loss = mean_of_all_rows(
            F.binary_cross_entropy_with_logits(model(data.x, data.edge_index), data.y, reduction="none")
        )
        loss.backward()
        optimizer.step()
hvd.shutdown()
