"""Libraries that hold a lock while they fetch, or rename a file at the end, and what fetches nothing: left alone."""

import torch
from huggingface_hub import hf_hub_download, snapshot_download
from sklearn.datasets import fetch_20newsgroups
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def download_rows(count):
    return torch.randn(count, 4)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
folder = snapshot_download("some/rows")
path = hf_hub_download("some/rows", "targets.pt")
weights = torch.hub.load_state_dict_from_url("https://example.org/linear.pth")
texts = fetch_20newsgroups(download_if_missing=False)
encoder = torch.hub.load("./hub", "encoder", source="local")
x = download_rows(len(texts.data))
y = torch.load(path) + len(folder)
model = nn.Linear(4, 1)
model.load_state_dict(weights)
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
