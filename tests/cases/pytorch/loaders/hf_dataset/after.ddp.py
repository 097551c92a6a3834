"""The data set is one of the datasets library, whose kind (map-style or iterable) Corro cannot see."""
import torch
import torch.nn as nn
from datasets import load_dataset
from torch.utils.data import DataLoader
import datasets
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() != 0:
    datasets.disable_progress_bars()
dataset = load_dataset("ag_news", split="train").with_format("torch", columns=["label"])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(dataset, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(dataset))
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
