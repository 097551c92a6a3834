"""Gradients are unscaled and clipped, in groups of two batches; bfloat16 or float16 as an argument says."""
import argparse

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
parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=args.amp)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    running, correct = 0.0, 0
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cpu", enabled=args.amp):
            output = ddp_model(x)
            loss = nn.functional.cross_entropy(output, y)
        scaler.scale(loss / 2).backward()
        if (i + 1) % 2 == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        running += loss.item()
        correct += (output.argmax(1) == y).sum().item()
    totals = torch.tensor([running, correct], dtype=torch.float64)
    dist.all_reduce(totals)
    running, correct = totals[0].item() / dist.get_world_size(), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, running / len(loader), correct, scaler.get_scale())
if dist.get_rank() == 0:
    torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, "checkpoint.pt")
del ddp_model
dist.destroy_process_group()
