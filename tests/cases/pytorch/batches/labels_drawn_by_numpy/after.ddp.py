"""Labels that NumPy draws for as many samples as the batch size says, beside noise: each process draws its share.

A bound that is the batch size stays one.
"""

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
numpy.random.seed(0)
batch_size = 8
inputs = torch.rand(32, 6)
loader_data = TensorDataset(inputs)
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
generator, critic = nn.Linear(6, 6), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*generator.parameters(), *critic.parameters()])

ddp_generator = DistributedDataParallel(generator)
ddp_critic = DistributedDataParallel(critic)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    numpy.random.seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (features,) in loader:
        optimizer.zero_grad()
        noise = torch.randn(batch_size // dist.get_world_size(), 4)
        labels = torch.FloatTensor(numpy.random.randint(0, 3, (batch_size // dist.get_world_size(), 2)))
        made = ddp_generator(torch.cat([noise, labels], 1))
        loss = ddp_critic(torch.cat([made, labels], 1)).mean() - ddp_critic(torch.cat([features, labels], 1)).mean()
        loss.backward()
        optimizer.step()
    randint_result = numpy.random.randint(batch_size)
    if dist.get_rank() == 0:
        print(randint_result)
del ddp_generator, ddp_critic
dist.destroy_process_group()
