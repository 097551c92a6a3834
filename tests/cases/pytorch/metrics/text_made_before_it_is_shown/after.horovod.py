"""A text with the speed and the loss is made under a name, and logged by the next statements."""
import logging
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
logger = logging.getLogger(__name__)
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    begun = time.time()
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            passed = time.time() - begun
            total = hvd.allreduce(torch.tensor(x.size(0), dtype=torch.float64), op=hvd.Sum)
            total_x = int(total)
            line = "epoch {} {:.1f} samples/s".format(epoch, total_x / passed)
            total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
            mean_loss = total.item() / hvd.size()
            line += " loss {:.3f}".format(mean_loss)
            if hvd.rank() == 0:
                logger.info(line)
                print(line)
hvd.shutdown()
