"""A stream has no numbers to deal out: all processes evaluate all of it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
class Stream(IterableDataset):
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield torch.tensor([i / 10, i / 7]), torch.tensor([float(i)])
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 2), torch.randn(64, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
val = DataLoader(Stream(50), batch_size=16)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in val:
            total += nn.functional.mse_loss(model(x), y).item() * len(x)
            n += len(x)
    if dist.get_rank() == 0:
        print(total / n)
del ddp_model
dist.destroy_process_group()
