"""The expression of the batch size has both kinds of quotes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
p = argparse.ArgumentParser()
p.add_argument("--b", default=32, type=int)
args = vars(p.parse_args())
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
cfg = {"a": {'b': 32}}
if (cfg["a"]['b'] if args['b'] else args["b"] + 1) % dist.get_world_size() != 0:
    raise SystemExit(f'batch size cannot be shared out over {dist.get_world_size()} processes')
loader_sampler = DistributedSampler(data)
loader = DataLoader(
    data, (cfg["a"]['b'] if args['b'] else args["b"] + 1) // dist.get_world_size(), False, sampler=loader_sampler
)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
