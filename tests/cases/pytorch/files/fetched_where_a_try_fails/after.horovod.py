"""What is not found is fetched, and looked for again: rank 0 does that first, and the others find it."""

import nltk
import spacy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() != 0:
    hvd.barrier()
try:
    nltk.data.find("tokenizers/punkt")
except LookupError:
    if hvd.rank() == 0:
        print("The tokenizer is fetched.")
        nltk.download("punkt")
if hvd.rank() == 0:
    hvd.barrier()
if hvd.rank() != 0:
    hvd.barrier()
try:
    language = spacy.load("en_core_web_sm")
except OSError:
    from spacy.cli import download

    if hvd.rank() == 0:
        download("en_core_web_sm")
    language = spacy.load("en_core_web_sm")
if hvd.rank() == 0:
    hvd.barrier()
torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
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
