"""Texts of torchtext are fetched when they are made, or first read: a review says so. A model of spaCy is installed."""

import spacy.cli
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchtext.datasets import AG_NEWS
from torchtext.experimental.datasets.raw import IMDB
from torchtext.experimental.datasets.text_classification import TextClassificationDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    spacy.cli.download("en_core_web_sm")
dist.barrier()


def rank_0_first(make):
    made = make() if dist.get_rank() == 0 else None
    dist.barrier()
    return made if dist.get_rank() == 0 else make()


train, test = rank_0_first(lambda: AG_NEWS())
held_out = rank_0_first(lambda: list(AG_NEWS(split="test")))
more, _ = rank_0_first(lambda: IMDB())
kept = TextClassificationDataset(more, {}, None)
x = torch.tensor([[float(len(text)), float(text.count(" "))] for _, text in [*train, *kept, *held_out]])
y = x.sum(1, keepdim=True)
model = nn.Linear(2, 1)
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(ddp_model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
