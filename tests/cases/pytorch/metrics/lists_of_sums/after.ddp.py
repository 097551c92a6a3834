"""Lists of sums and of counts are summed up item by item."""
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
losses, hits, sizes = [], [], []
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = ddp_model(x)
        loss = nn.functional.cross_entropy(output, y, reduction="sum")
        (loss * dist.get_world_size()).backward()
        optimizer.step()
        losses.append(loss.item())
        hits.append((output.argmax(1) == y).sum().item())
        sizes.append(len(x))
totals = torch.tensor([losses[-1], sum(hits), np.mean(sizes)], dtype=torch.float64)
dist.all_reduce(totals)
total_losses_, total_hits_, total_sizes_ = totals[0].item(), int(totals[1]), totals[2].item()
total_losses = torch.tensor(losses, dtype=torch.float64)
dist.all_reduce(total_losses)
total_losses = total_losses.tolist()
total_hits = torch.tensor(hits, dtype=torch.float64)
dist.all_reduce(total_hits)
total_hits = total_hits.long().tolist()
total_sizes = torch.tensor(sizes, dtype=torch.float64)
dist.all_reduce(total_sizes)
total_sizes = total_sizes.long().tolist()
if dist.get_rank() == 0:
    print(total_losses, total_hits, total_sizes, len(losses), total_losses_, total_hits_, total_sizes_)
total_losses = torch.tensor(losses, dtype=torch.float64)
dist.all_reduce(total_losses)
total_losses = total_losses.tolist()
if dist.get_rank() == 0:
    print(np.array(total_losses) / np.array(total_sizes), max(total_hits))
del ddp_model
dist.destroy_process_group()
