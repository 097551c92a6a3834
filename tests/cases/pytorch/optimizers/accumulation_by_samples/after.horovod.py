"""A step is made when enough samples were seen: by all processes together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 4), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        nn.functional.mse_loss(model(x), y).backward()
        seen += len(x)
        total = hvd.allreduce(torch.tensor(seen, dtype=torch.float64), op=hvd.Sum)
        total_seen = int(total)
        if total_seen >= 128:
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
hvd.shutdown()
