"""The same values are reported twice in a row, and once more after one of them has changed."""
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
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
losses = open("losses.txt" if dist.get_rank() == 0 else os.devnull, "w")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    history = []
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if step % 5 == 0:
            error = (model(x) - y).abs().mean().item()
            totals = torch.tensor([loss.item(), error], dtype=torch.float64)
            dist.all_reduce(totals)
            mean_loss, mean_error = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(step, mean_loss, mean_error)
            losses.write(f"{mean_loss} {mean_error}\n")
            if dist.get_rank() == 0:
                print(mean_error)
            error = error * 100
            total = torch.tensor(error, dtype=torch.float64)
            dist.all_reduce(total)
            mean_error = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(mean_error)
    mean_history = torch.tensor(history, dtype=torch.float64)
    dist.all_reduce(mean_history)
    mean_history = (mean_history / dist.get_world_size()).tolist()
    if dist.get_rank() == 0:
        print(mean_history)
    history.append(0.0)
    mean_history = torch.tensor(history, dtype=torch.float64)
    dist.all_reduce(mean_history)
    mean_history = (mean_history / dist.get_world_size()).tolist()
    if dist.get_rank() == 0:
        print(mean_history)
losses.close()
del ddp_model
dist.destroy_process_group()
