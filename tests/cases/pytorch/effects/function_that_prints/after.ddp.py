"""Functions that print, as they are handed to others: each line is printed once."""
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
x = torch.randn(64, 4)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = 0.0
show = lambda: print("sum", total) if dist.get_rank() == 0 else None
say = lambda text: print(text.upper()) if dist.get_rank() == 0 else None
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(ddp_model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    show()
say("done")
del ddp_model
dist.destroy_process_group()
