"""A set of words that is sorted, counted and asked has the same answers everywhere."""
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
text = "the quick brown fox jumps over the lazy dog".split() * 10
vocabulary = set(text)
numbers = {word: number for number, word in enumerate(sorted(vocabulary))}
words = torch.tensor([numbers[word] for word in text if word in vocabulary])
sizes = [len(vocabulary), 3]
longest = max(len(word) for word in vocabulary)
if dist.get_rank() == 0:
    print(longest, [size for size in set(sizes)])
train_data = TensorDataset(words[:-1], words[1:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Sequential(nn.Embedding(len(numbers), 8), nn.Linear(8, len(numbers)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
