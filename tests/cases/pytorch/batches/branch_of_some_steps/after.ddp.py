"""A branch of the model that only every other step uses, on batches that are drawn."""
import torch
from torch import nn
import torch.nn.functional as F
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = torch.randn(600, 8)
labels = (data[:, 0] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.extra = nn.Linear(16, 16)
        self.last = nn.Linear(16, 2)

    def forward(self, x, deep):
        h = F.relu(self.first(x))
        if deep:
            h = F.relu(self.extra(h))
        return self.last(h)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
for step in range(50):
    rows = torch.randint(0, len(data), (32,))
    loss = F.cross_entropy(ddp_model(fill_and_share_rows(data[rows]), step % 2 == 0), fill_and_share_rows(labels[rows]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss)
del ddp_model
dist.destroy_process_group()
