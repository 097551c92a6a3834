"""A model, told from a function by its type, is switched to evaluation and back in each round: its buffers are sent before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def measured(net, batches):
    right, count = 0.0, 0
    with torch.no_grad():
        hvd.broadcast_parameters(dict(net.named_buffers()), root_rank=0)
        for x, y in batches:
            if isinstance(net, nn.Module):
                net.eval()
                right += (net(x).argmax(1) == y).float().sum().item()
                net.train()
            else:
                right += (net(x).argmax(1) == y).float().sum().item()
            count += len(y)
        totals = hvd.allreduce(torch.tensor([right, count], dtype=torch.float64), op=hvd.Sum)
        right, count = totals[0].item(), int(totals[1])
    return right / count


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 64 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
held_out_data = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out_sampler = range(hvd.rank(), len(held_out_data), hvd.size())
held_out = DataLoader(held_out_data, batch_size=50, sampler=held_out_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    measured_result = measured(model, held_out)
    if hvd.rank() == 0:
        print(epoch, measured_result)
hvd.shutdown()
