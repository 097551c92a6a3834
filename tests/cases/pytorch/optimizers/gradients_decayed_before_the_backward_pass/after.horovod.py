"""Half of the last gradient stays, and the loss is a sum: what is left must not be counted once for each process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(0.5)
        (nn.functional.mse_loss(model(x), y, reduction="sum") * hvd.size()).backward()
        hvd.grouped_allreduce_(
            [p_.grad for group in optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
