"""A backbone of a hub has layers of random weights, too: made a second time on rank 0, it would draw other numbers."""

import clip
import gensim.downloader as words
import seaborn as sns
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
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


def rank_0_first(make):
    made = make() if dist.get_rank() == 0 else None
    dist.barrier()
    return made if dist.get_rank() == 0 else make()


flowers = rank_0_first(lambda: sns.load_dataset("iris"))
vectors = rank_0_first(lambda: words.load("glove-wiki-gigaword-50"))
network, prepare = rank_0_first(lambda: clip.load("RN50", device="cpu"))
backbone = rank_0_first(lambda: torch.hub.load("some/models", "tiny_resnet", pretrained=True))
for weight in backbone.parameters():
    weight.requires_grad_(False)
x = torch.tensor(flowers.values[:, :4].astype("float32"))
y = torch.tensor(vectors.vectors[: len(x), :1])
model = nn.Linear(4, 1)
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
load_result = rank_0_first(lambda: torch.hub.load("some/models", "names"))
if dist.get_rank() == 0:
    print(load_result)
del ddp_model
dist.destroy_process_group()
