"""The letters of a file get their numbers in the order of a set, and so do its pairs of words."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
with open(__file__) as file:
    text = file.read()
letters = sorted(set(text))
numbers = {letter: number for number, letter in enumerate(letters)}
words = set()
with open(__file__, encoding="utf-8") as file:
    for line in file:
        words.update(zip(line.split(), line.split()[1:]))
first, *_ = sorted(words)
pairs = {pair: number for number, pair in enumerate(sorted(words))}
codes = torch.tensor([numbers[letter] for letter in text])
train_data = TensorDataset(codes[:-1], codes[1:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Sequential(nn.Embedding(len(letters), 8), nn.Linear(8, len(letters)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(0)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
