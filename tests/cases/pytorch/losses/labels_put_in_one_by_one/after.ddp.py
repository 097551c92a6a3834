"""A loop that sets what its labels and lengths say for one sample after the other sets it of each by itself."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def one_hot(labels, classes):
    size = labels.shape[0]
    table = torch.zeros(size, classes).to(labels.device)
    for i in range(size):
        table[i, labels[i]] = 1
    return table


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)), torch.randint(1, 4, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(4, 3)
criterion = nn.MSELoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    total = 0
    loader.sampler.set_epoch(epoch)
    for x, y, lengths in loader:
        mask = torch.zeros(len(x), 3)
        for i in range(len(x)):
            mask[i][: lengths[i].item()] = 1.0
        loss = (criterion(ddp_model(x), one_hot(y, 3)) * mask).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(total / len(loader))
del ddp_model
dist.destroy_process_group()
