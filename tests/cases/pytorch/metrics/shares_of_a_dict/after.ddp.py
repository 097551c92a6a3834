"""A dict that a comprehension goes over is made whole, and so is what it divides each item by."""
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
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    sums = {"loss": 0.0, "n": 0}
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        sums["loss"] += loss.item() * len(x)
        sums["n"] += len(x)
    totals = torch.tensor([sums["loss"], sums["n"]], dtype=torch.float64)
    dist.all_reduce(totals)
    sums["loss"], sums["n"] = totals[0].item(), int(totals[1])
    if dist.get_rank() == 0:
        print({k: v / sums["n"] for k, v in sums.items()})
        print({k: v / sums["n"] for k, v in sums.items()}["loss"])
        print([v / sums["n"] for k, v in sums.items()][0])
del ddp_model
dist.destroy_process_group()
