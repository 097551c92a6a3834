"""Shares of a batch that a sampler of the script makes may differ in size; none is filled up."""

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 8), torch.randn(90, 1))


class SharedBatches(Sampler):
    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        drawn = [[list(batch) for batch in self.batches]]
        dist.broadcast_object_list(drawn)
        for batch in drawn[0]:
            if len(batch) < dist.get_world_size():
                raise SystemExit("a batch has fewer samples than there are processes")
            yield batch[dist.get_rank() :: dist.get_world_size()]

    def __len__(self):
        return len(self.batches)


loader = DataLoader(data, batch_sampler=SharedBatches(BatchSampler(RandomSampler(data), 25, drop_last=True)))
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def share_weight(samples):
    total = torch.tensor([len(samples)], device=samples.device)
    dist.all_reduce(total)
    return len(samples) * dist.get_world_size() / total.item()


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for x, y in loader:
        weight = share_weight(x)
        optimizer.zero_grad()
        (nn.functional.mse_loss(ddp_model(x), y) * weight).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
