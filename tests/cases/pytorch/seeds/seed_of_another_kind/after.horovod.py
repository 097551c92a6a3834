"""seed is a column of plants here and manual_seed the user's own function: neither seeds anything."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def manual_seed(weight):
    return weight * 1000


hvd.init()
seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed_)
seed = torch.rand(300, 7)
if hvd.rank() == 0:
    print("heaviest", manual_seed(seed.max().item()), "mg")
loader_data = TensorDataset(seed, (seed.sum(1) > 3.5).long())
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=30 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(7, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed_ + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
