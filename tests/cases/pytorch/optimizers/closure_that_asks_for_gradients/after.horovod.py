"""The closure of the documentation of LBFGS: it asks whether gradients are on, which they are in training."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(400, 10), torch.randn(400, 1))
if 200 % hvd.size() != 0:
    raise SystemExit(f"batch size 200 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=200 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        def closure():
            if torch.is_grad_enabled():
                optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            if loss.requires_grad:
                loss.backward()
            total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
            mean_loss = (total / hvd.size()).to(loss.dtype)
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            return mean_loss
        optimizer.step(closure)
hvd.shutdown()
