"""Libraries that hold a lock while they fetch, or rename a file at the end, and what fetches nothing: left alone."""

import torch
from huggingface_hub import hf_hub_download, snapshot_download
from sklearn.datasets import fetch_20newsgroups
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


def download_rows(count):
    return torch.randn(count, 4)


hvd.init()
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
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
