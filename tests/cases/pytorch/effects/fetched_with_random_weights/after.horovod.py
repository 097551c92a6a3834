"""A backbone of a hub has layers of random weights, too: made a second time on rank 0, it would draw other numbers."""

import clip
import gensim.downloader as words
import seaborn as sns
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)


def rank_0_first(make):
    made = make() if hvd.rank() == 0 else None
    hvd.barrier()
    return made if hvd.rank() == 0 else make()


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
load_result = rank_0_first(lambda: torch.hub.load("some/models", "names"))
if hvd.rank() == 0:
    print(load_result)
hvd.shutdown()
