"""A text that a function goes on with, or that is made in another block, has a loss of rank 0's in it: that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def tell(line):
    line += "\n"
    if hvd.rank() == 0:
        print(line.strip())


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            text = f"step {step}: {loss.item():.4f}\n"
    if hvd.rank() == 0:
        print(text.strip())
    tell(f"epoch {epoch}: {loss.item():.4f}")
hvd.shutdown()
