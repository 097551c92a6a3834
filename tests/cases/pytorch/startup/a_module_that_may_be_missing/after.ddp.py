"""A try between the imports notes whether a module is there: the program starts behind all of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import numba

    has_numba = True
except ImportError:
    has_numba = False
import numpy as np
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.tensor(np.eye(6, dtype="float32")), torch.ones(6, 1))
if 2 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 2 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=2 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if has_numba:
        if dist.get_rank() == 0:
            print("epoch", epoch)
del ddp_model
dist.destroy_process_group()
