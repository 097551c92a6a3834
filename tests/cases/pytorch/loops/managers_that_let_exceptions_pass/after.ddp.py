"""Context managers that raise again, or catch nothing, are left alone, and so is what is caught around the training."""

from contextlib import ExitStack, contextmanager

import torch
import torch.nn.functional as F
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
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

import time
@contextmanager
def timed():
    start = time.time()
    try:
        yield
    finally:
        spent = time.time() - start



@contextmanager
def told():
    try:
        yield
    except RuntimeError:
        if dist.get_rank() == 0:
            print("failed")
        raise


class Phase:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.done = True
        return False


def step(a, b):
    optimizer.zero_grad()
    loss = F.cross_entropy(ddp_model(a), b)
    loss.backward()
    optimizer.step()


def main():
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for a, b in loader:
            with timed(), told(), Phase(), ExitStack() as stack:
                stack.enter_context(torch.enable_grad())
                step(a, b)


try:
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    main()
except RuntimeError as error:
    if dist.get_rank() == 0:
        print("ended by", error)
del ddp_model
dist.destroy_process_group()
