"""Labelled samples and two views of unlabelled ones are one batch for the network, which is cut apart by their numbers."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler


class Unlabelled(Dataset):
    def __init__(self, count):
        self.x = torch.randn(count, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (self.x[i], self.x[i].flip(0)), 0


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


labelled_data = TensorDataset(torch.randn(64, 8), torch.randint(4, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
labelled = DataLoader(labelled_data, batch_size=8 // hvd.size(), sampler=SharedSampler(RandomSampler(labelled_data)))
unlabelled_data = Unlabelled(448)
if 56 % hvd.size() != 0:
    raise SystemExit(f"batch size 56 cannot be shared out over {hvd.size()} processes")
unlabelled = DataLoader(
    unlabelled_data, batch_size=56 // hvd.size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    for (inputs_x, targets_x), ((inputs_u_w, inputs_u_s), _) in zip(labelled, unlabelled):
        batch_size = inputs_x.shape[0]
        inputs = torch.cat((inputs_x, inputs_u_w, inputs_u_s))
        logits = model(inputs)
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
hvd.shutdown()
