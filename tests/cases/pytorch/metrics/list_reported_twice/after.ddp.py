"""A list of losses is written as a whole, and some of its items are printed: two wholes of one name do not meet."""
import numpy as np
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
loader_data = TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
curve = []
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
mean_curve = torch.tensor(curve, dtype=torch.float64)
dist.all_reduce(mean_curve)
mean_curve = (mean_curve / dist.get_world_size()).tolist()
if dist.get_rank() == 0:
    np.savetxt("curve.txt", mean_curve)
totals = torch.tensor([curve[0], curve[-1]], dtype=torch.float64)
dist.all_reduce(totals)
mean_curve_, mean_curve_2 = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
if dist.get_rank() == 0:
    print(mean_curve, round(mean_curve_, 4), round(mean_curve_2, 4))
    print("steps", len(curve))
del ddp_model
dist.destroy_process_group()
