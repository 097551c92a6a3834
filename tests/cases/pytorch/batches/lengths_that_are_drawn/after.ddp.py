"""Each batch has another length: the program stops where the processes cannot share one out evenly."""
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
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def get_batch():
    size = int(torch.randint(8, 33, (1,)))
    rows = torch.randint(0, len(data), (size,))
    return data[rows], labels[rows]


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for step in range(50):
    x, y = map(share_rows, get_batch())
    loss = F.cross_entropy(ddp_model(x), y)
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
