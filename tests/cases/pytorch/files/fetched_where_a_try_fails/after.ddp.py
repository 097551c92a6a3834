"""What is not found is fetched, and looked for again: rank 0 does that first, and the others find it."""

import nltk
import spacy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() != 0:
    dist.barrier()
try:
    nltk.data.find("tokenizers/punkt")
except LookupError:
    if dist.get_rank() == 0:
        print("The tokenizer is fetched.")
        nltk.download("punkt")
if dist.get_rank() == 0:
    dist.barrier()
if dist.get_rank() != 0:
    dist.barrier()
try:
    language = spacy.load("en_core_web_sm")
except OSError:
    from spacy.cli import download

    if dist.get_rank() == 0:
        download("en_core_web_sm")
    language = spacy.load("en_core_web_sm")
if dist.get_rank() == 0:
    dist.barrier()
torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
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
