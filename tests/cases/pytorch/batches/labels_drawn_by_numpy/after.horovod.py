"""Labels that NumPy draws for as many samples as the batch size says, beside noise: each process draws its share.

A bound that is the batch size stays one.
"""

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
numpy.random.seed(0)
batch_size = 8
inputs = torch.rand(32, 6)
loader_data = TensorDataset(inputs)
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
generator, critic = nn.Linear(6, 6), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*generator.parameters(), *critic.parameters()])
optimizer = hvd.DistributedOptimizer(optimizer)

hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    numpy.random.seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (features,) in loader:
        optimizer.zero_grad()
        noise = torch.randn(batch_size // hvd.size(), 4)
        labels = torch.FloatTensor(numpy.random.randint(0, 3, (batch_size // hvd.size(), 2)))
        made = generator(torch.cat([noise, labels], 1))
        loss = critic(torch.cat([made, labels], 1)).mean() - critic(torch.cat([features, labels], 1)).mean()
        loss.backward()
        optimizer.step()
    randint_result = numpy.random.randint(batch_size)
    if hvd.rank() == 0:
        print(randint_result)
hvd.shutdown()
