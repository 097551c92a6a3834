"""An item of a batch of graphs is the attribute of that name: a row for each node, not for each graph."""
import torch
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    TUDataset("data", name="PROTEINS")
hvd.barrier()
train_data = TUDataset("data", name="PROTEINS")
if 60 % hvd.size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=60 // hvd.size(), sampler=train_sampler)
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
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
        loss = mean_of_all_rows(model(data["x"]).square())
        loss.backward()
        optimizer.step()
hvd.shutdown()
