"""A tracker is told the options, which stay what they are: the program is made for the default of one of them."""
import argparse

import torch
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from apex import amp
except ImportError:
    amp = None
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--mixed-precision", action="store_true")
parser.add_argument("--opt-level", default="O1")
args = parser.parse_args()
wandb.init(project="rows", mode=None if dist.get_rank() == 0 else "disabled")
wandb.config.update(args)

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(rows, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(rows))
model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if args.mixed_precision:
    raise SystemExit("this program is for the default of --mixed-precision only")
    model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(args.epochs):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        if args.mixed_precision:
            raise SystemExit("this program is for the default of --mixed-precision only")
            with amp.scale_loss(loss, optimizer) as scaled:
                scaled.backward()
        else:
            loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
