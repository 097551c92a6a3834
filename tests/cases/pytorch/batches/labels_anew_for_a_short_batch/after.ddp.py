"""Labels of the batch size are made before each epoch, and anew for a last batch that is shorter."""
import torch
from torch import nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
batch_size = 16
loader_data = TensorDataset(torch.randn(104, 6))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % batch_size < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.BCELoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    real = torch.ones(batch_size // dist.get_world_size())
    fake = torch.zeros(batch_size // dist.get_world_size())
    real, fake = Variable(real), Variable(fake)
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        mini_batch = x.size()[0]
        total = torch.tensor(mini_batch, dtype=torch.float64)
        dist.all_reduce(total)
        total_mini_batch = int(total)
        if total_mini_batch != batch_size:
            real = torch.ones(mini_batch)
            fake = torch.zeros(mini_batch)
            real, fake = Variable(real), Variable(fake)
        optimizer.zero_grad()
        noise = torch.randn(mini_batch, 6)
        loss = criterion(ddp_model(x).squeeze(), real) + criterion(ddp_model(noise).squeeze(), fake)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
