"""What a checkpoint holds keeps its type: a mean of NumPy's stays one, and a best value that began as a float is so."""
import numpy as np
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
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = float("inf")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    mean = np.mean(losses)
    total = torch.tensor(mean, dtype=torch.float64)
    dist.all_reduce(total)
    mean_value = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print("epoch %d loss %.4f" % (epoch, mean_value))
    totals = torch.tensor([mean, best], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_value, mean_best = (
        totals[0].item() / dist.get_world_size(),
        np.float64(totals[1].item() / dist.get_world_size()),
    )
    if mean_value < mean_best:
        best = mean
        total = torch.tensor(best, dtype=torch.float64)
        dist.all_reduce(total)
        mean_best = np.float64(total.item() / dist.get_world_size())
        if dist.get_rank() == 0:
            torch.save({"model": model.state_dict(), "loss": mean_best}, "best.pt")
del ddp_model
dist.destroy_process_group()
