"""A model, told from a function by its type, is switched to evaluation and back in each round: its buffers are sent before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def measured(net, batches):
    right, count = 0.0, 0
    with torch.no_grad():
        for buffer in net.buffers():
            dist.broadcast(buffer, src=0)
        for x, y in batches:
            if isinstance(net, nn.Module):
                net.eval()
                right += (net(x).argmax(1) == y).float().sum().item()
                net.train()
            else:
                right += (net(x).argmax(1) == y).float().sum().item()
            count += len(y)
        totals = torch.tensor([right, count], dtype=torch.float64)
        dist.all_reduce(totals)
        right, count = totals[0].item(), int(totals[1])
    return right / count


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 64 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
held_out_data = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out_sampler = range(dist.get_rank(), len(held_out_data), dist.get_world_size())
held_out = DataLoader(held_out_data, batch_size=50, sampler=held_out_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    measured_result = measured(model, held_out)
    if dist.get_rank() == 0:
        print(epoch, measured_result)
del ddp_model
dist.destroy_process_group()
