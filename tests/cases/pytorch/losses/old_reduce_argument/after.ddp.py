"""Written for PyTorch 0.4: reduce=False gives one loss a sample, whatever size_average says; their mean is taken here."""
import torch
import torch.nn as nn
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
train_data = TensorDataset(torch.randn(200, 8), torch.randn(200, 1))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=20 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(8, 1)
criterion = nn.MSELoss(size_average=False, reduce=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y).mean()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
