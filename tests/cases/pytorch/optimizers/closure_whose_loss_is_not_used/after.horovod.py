"""SGD only hands on what its closure returns, and nobody uses it: it stays this process's."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(400, 10), torch.randn(400, 1))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y, reduction="sum")
            (loss * hvd.size()).backward()
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            return loss

        optimizer.step(closure)
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()
