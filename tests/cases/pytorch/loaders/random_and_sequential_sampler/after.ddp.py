"""RandomSampler without replacement is plain shuffling, SequentialSampler plain order: both become distributed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
inputs = torch.randint(0, 100, (900, 16))
masks = torch.ones_like(inputs, dtype=torch.float)
labels = (inputs.float().mean(1) > 50).long()
train_data = TensorDataset(inputs[:800], masks[:800], labels[:800])
valid_data = TensorDataset(inputs[800:], masks[800:], labels[800:])


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_data_sampler = SharedSampler(RandomSampler(train_data))
train_dataloader = DataLoader(train_data, sampler=train_data_sampler, batch_size=16 // dist.get_world_size())
valid_data_sampler = range(dist.get_rank(), len(valid_data), dist.get_world_size())
valid_dataloader = DataLoader(valid_data, sampler=valid_data_sampler, batch_size=16)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 24)
        self.head = nn.Linear(24, 2)

    def forward(self, ids, mask):
        return self.head((self.embed(ids) * mask.unsqueeze(-1)).mean(1))


model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, eps=1e-8)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    model.train()
    for batch in train_dataloader:
        b_ids, b_mask, b_labels = batch
        model.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(b_ids, b_mask), b_labels)
        loss.backward()
        optimizer.step()
    model.eval()
    hits = 0
    for batch in valid_dataloader:
        b_ids, b_mask, b_labels = batch
        with torch.no_grad():
            logits = model(b_ids, b_mask)
        hits += (logits.argmax(1) == b_labels).sum().item()
    total = torch.tensor(hits, dtype=torch.float64)
    dist.all_reduce(total)
    hits = int(total)
    if dist.get_rank() == 0:
        print("Epoch", epoch, "validation accuracy", hits / len(valid_data))
del ddp_model
dist.destroy_process_group()
