"""A print trains: every process does, with the wrapped model and after the epoch of the sampler is set."""

import torch
from torch import nn
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
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(train_set)
loader = DataLoader(train_set, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def train(model, loader, opt):
    model.train()
    total = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    return total / len(loader)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    train_result = train(ddp_model, loader, opt)
    if dist.get_rank() == 0:
        print("epoch", epoch, "loss", train_result)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "m.pt")
del ddp_model
dist.destroy_process_group()
