"""Texts of torchtext are fetched when they are made, or first read: a review says so. A model of spaCy is installed."""

import spacy.cli
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchtext.datasets import AG_NEWS
from torchtext.experimental.datasets.raw import IMDB
from torchtext.experimental.datasets.text_classification import TextClassificationDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    spacy.cli.download("en_core_web_sm")
hvd.barrier()


def rank_0_first(make):
    made = make() if hvd.rank() == 0 else None
    hvd.barrier()
    return made if hvd.rank() == 0 else make()


train, test = rank_0_first(lambda: AG_NEWS())
held_out = rank_0_first(lambda: list(AG_NEWS(split="test")))
more, _ = rank_0_first(lambda: IMDB())
kept = TextClassificationDataset(more, {}, None)
x = torch.tensor([[float(len(text)), float(text.count(" "))] for _, text in [*train, *kept, *held_out]])
y = x.sum(1, keepdim=True)
model = nn.Linear(2, 1)
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
