"""The data set is one of the datasets library, whose kind (map-style or iterable) Corro cannot see."""
import torch
import torch.nn as nn
from datasets import load_dataset
from torch.utils.data import DataLoader
import datasets
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() != 0:
    datasets.disable_progress_bars()
dataset = load_dataset("ag_news", split="train").with_format("torch", columns=["label"])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(dataset, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Embedding(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch["label"]), batch["label"]).backward()
        optimizer.step()
hvd.shutdown()
