"""A project module loads the data set: progress bars are switched off where the script starts."""
import torch
import torch.nn as nn
from reading import make_loader
import datasets
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() != 0:
    datasets.disable_progress_bars()
loader = make_loader()
model = nn.Embedding(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(batch["label"]), batch["label"]).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
