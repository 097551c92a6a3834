"""tqdm(enumerate(loader), total=len(loader)): len of the sharded loader is the number of steps, which is kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
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
features = torch.randn(2048, 20)
targets = (features.sum(1) > 0).long()
train_data = TensorDataset(features, targets)
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(20, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(4):
    running = 0.0
    train_loader.sampler.set_epoch(epoch)
    for i, (x, y) in tqdm(enumerate(train_loader), total=len(train_loader), disable=dist.get_rank() != 0):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    total_ = torch.tensor(running, dtype=torch.float64)
    dist.all_reduce(total_)
    running = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {running / len(train_loader):.4f}")
del ddp_model
dist.destroy_process_group()
