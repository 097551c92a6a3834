"""The last group of an epoch may be incomplete: all processes have as many batches, so they step together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
ACCUMULATE = 4
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    running = 0.0
    optimizer.zero_grad()
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y)
        (loss / ACCUMULATE).backward()
        running += loss.item()
        if (i + 1) % ACCUMULATE == 0 or i + 1 == len(loader):
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    total = hvd.allreduce(torch.tensor(running, dtype=torch.float64), op=hvd.Sum)
    running = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, running / len(loader))
hvd.shutdown()
