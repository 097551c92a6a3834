"""A running average and an exponential one are linear in the losses: the mean over processes is the whole."""
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
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    average = smooth = 0.0
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        output = ddp_model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average += (loss.item() - average) / (i + 1)
        smooth = 0.9 * smooth + 0.1 * loss.item()
    totals = torch.tensor([average, smooth], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_average, mean_smooth = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_average, mean_smooth)
del ddp_model
dist.destroy_process_group()
