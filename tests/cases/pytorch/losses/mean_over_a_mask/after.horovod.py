"""Errors are summed where a mask says so, and divided by how many there are; what a loss is given is chosen by it, too."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), torch.randn(64, 4), torch.rand(64, 4) > 0.5)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.SmoothL1Loss(beta=0.5)


def sum_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum)


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y, mask in loader:
        out, mask = model(x), mask.bool()
        loss = ((out - y) ** 2 * mask).sum() / sum_over_processes(mask.sum()).clamp(min=1)
        chosen = mean_of_all_rows(F.smooth_l1_loss(out[mask], y[mask], beta=criterion.beta, reduction="none")) + mean_of_all_rows(
            (out[mask] - y[mask]).abs()
        )
        optimizer.zero_grad()
        (sum_over_processes(loss) + chosen).backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
