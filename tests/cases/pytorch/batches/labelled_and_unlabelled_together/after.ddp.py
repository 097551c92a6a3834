"""Labelled samples and two views of unlabelled ones are one batch for the network, which is cut apart by their numbers."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Unlabelled(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (self.x[i], self.x[i].flip(0)), 0


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
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


labelled_data = TensorDataset(torch.randn(64, 8), torch.randint(4, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
labelled = DataLoader(
    labelled_data, batch_size=8 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(labelled_data))
)
unlabelled_data = Unlabelled(448)
if 56 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 56 cannot be shared out over {dist.get_world_size()} processes")
unlabelled = DataLoader(
    unlabelled_data, batch_size=56 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    for (inputs_x, targets_x), ((inputs_u_w, inputs_u_s), _) in zip(labelled, unlabelled):
        batch_size = inputs_x.shape[0]
        inputs = torch.cat((inputs_x, inputs_u_w, inputs_u_s))
        logits = ddp_model(inputs)
        logits_x = logits[:batch_size]
        logits_u_w, logits_u_s = logits[batch_size:].chunk(2)
        loss_x = F.cross_entropy(logits_x, targets_x)
        chances, targets_u = torch.max(torch.softmax(logits_u_w.detach(), dim=-1), dim=-1)
        mask = chances.ge(0.95).float()
        loss_u = (F.cross_entropy(logits_u_s, targets_u, reduction="none") * mask).mean()
        loss = loss_x + loss_u
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
