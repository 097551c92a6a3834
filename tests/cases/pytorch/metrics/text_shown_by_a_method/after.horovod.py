"""A text is made of a loss that is reduced there, and shown without its line break, within another text, and as it is."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
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
log = open("log.txt" if hvd.rank() == 0 else os.devnull, "w")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = hvd.allreduce(torch.tensor(sum(losses) / len(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses = total.item() / hvd.size()
    line = f"epoch {epoch}: {mean_losses:.4f}\n"
    log.write(line)
    if hvd.rank() == 0:
        print(line.strip())
    total = hvd.allreduce(torch.tensor(losses[-1], dtype=torch.float64), op=hvd.Sum)
    mean_losses = total.item() / hvd.size()
    last = "last loss %.4f" % mean_losses
    if hvd.rank() == 0:
        print("[" + last + "]", flush=True)
log.close()
hvd.shutdown()
