"""What a print draws or advances decides what comes after it: the rows shown, and then another split."""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from gensim.utils import Corpus
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
np.random.seed(0)
rng = np.random.default_rng(0)
table = pd.read_csv("table.csv")
corpus = Corpus("corpus.txt")
sample_result = table.sample(5)
if dist.get_rank() == 0:
    print(sample_result)
    print(table.head(), table.describe())
next_batch_result = corpus.next_batch(4)
if dist.get_rank() == 0:
    print("first", next_batch_result[0], corpus.name.lower())
choice_result = rng.choice(10)
if dist.get_rank() == 0:
    print("drawn", choice_result)
fit_transform_result = StandardScaler().fit_transform(table[["a"]])
if dist.get_rank() == 0:
    print(fit_transform_result.mean())
order = np.random.permutation(len(table))
values = torch.tensor(table.values[order], dtype=torch.float32)
loader_data = TensorDataset(values[:, 1:], values[:, :1])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    np.random.seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
