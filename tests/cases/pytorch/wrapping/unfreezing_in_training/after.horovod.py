"""Parameters are unfrozen after some epochs: DDP would not notice, so gradients are averaged in front of the step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
backbone = nn.Sequential(nn.Linear(10, 20), nn.ReLU())
model = nn.Sequential(backbone, nn.Linear(20, 3))
for p in backbone.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(6):
    if epoch == 3:
        for p in backbone.parameters():
            p.requires_grad = True
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p_.grad for group in optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
