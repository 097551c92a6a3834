"""The loader is made anew in each epoch: without set_epoch the new sampler would give the same order each time."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
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
X = torch.randn(1000, 8)
Y = X @ torch.randn(8, 1)
train_ds = TensorDataset(X, Y)

model = nn.Linear(8, 1)
optimizer = optim.SGD(model.parameters(), lr=0.05)
loss_fn = nn.MSELoss()

ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for ep in range(10):
    if 50 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
    train_dl_sampler = DistributedSampler(train_ds)
    train_dl = DataLoader(train_ds, batch_size=50 // dist.get_world_size(), sampler=train_dl_sampler)
    train_dl.sampler.set_epoch(ep)
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss_fn(ddp_model(xb), yb).backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print('epoch', ep)
del ddp_model
dist.destroy_process_group()
