"""Weights are initialised at random in the training function: the wrapper comes after."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)

def run():
    model.apply(init)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
run()
if dist.get_rank() == 0:
    print("x")
import sys
def show(): sys.stdout.write("")
MARK = model.weight.double().norm().item()
dist.destroy_process_group()
