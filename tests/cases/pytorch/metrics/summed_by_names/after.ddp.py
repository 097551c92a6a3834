"""What is added under a name that a loop gives may be any item of the dict: all of them are sums over the batches."""
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
loader_data = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    sums = {"loss": 0.0, "size": 0.0}
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = ddp_model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        for name, value in {"loss": loss.item(), "size": output.abs().mean().item()}.items():
            sums[name] += value
    totals = torch.tensor([sums["loss"] / len(loader), sums["size"] / len(loader)], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_sums, mean_sums_ = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(mean_sums, mean_sums_)
del ddp_model
dist.destroy_process_group()
