"""The folder of a summary is drawn: every process draws it, so that what is drawn later stays equal on all."""

import numpy
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
numpy.random.seed(0)
torch.manual_seed(0)
randint_result = numpy.random.randint(10000)
writer = SummaryWriter("runs/%d" % randint_result) if hvd.rank() == 0 else None
inputs = torch.tensor(numpy.random.rand(64, 3), dtype=torch.float32)
loader_data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.2)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    numpy.random.seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for features, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features), targets)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        writer.add_scalar("loss", mean_loss, epoch)
hvd.shutdown()
