"""The rate comes from args.lr: in strong scaling the call is left alone (ddp) or wrapped (horovod), never rescaled."""
import argparse
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
parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float, default=1e-3, help='learning rate')
parser.add_argument('--bs', type=int, default=32, help='batch size')
opt = parser.parse_args()

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 3), torch.randn(320, 1))
if opt.bs % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {opt.bs} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=opt.bs // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=1e-5)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
