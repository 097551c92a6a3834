"""A function makes two models, of which one is put into evaluation mode: that the other is not is told."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 64 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
teacher = build()
hvd.broadcast_parameters(dict(teacher.named_buffers()), root_rank=0)
teacher.eval()
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), teacher(x).detach())
        loss.backward()
        optimizer.step()
    held = 0.0
    with torch.no_grad():
        for x, y in held_out:
            held += nn.functional.cross_entropy(model(x), y, reduction="sum").item()
    if hvd.rank() == 0:
        print(epoch, held / 99)
hvd.shutdown()
