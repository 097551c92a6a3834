"""Gradients are unscaled and clipped, in groups of two batches; bfloat16 or float16 as an argument says."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=args.amp)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    running, correct = 0.0, 0
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cpu", enabled=args.amp):
            output = model(x)
            loss = nn.functional.cross_entropy(output, y)
        scaler.scale(loss / 2).backward()
        if (i + 1) % 2 == 0:
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        running += loss.item()
        correct += (output.argmax(1) == y).sum().item()
    totals = hvd.allreduce(torch.tensor([running, correct], dtype=torch.float64), op=hvd.Sum)
    running, correct = totals[0].item() / hvd.size(), int(totals[1])
    if hvd.rank() == 0:
        print(epoch, running / len(loader), correct, scaler.get_scale())
if hvd.rank() == 0:
    torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, "checkpoint.pt")
hvd.shutdown()
