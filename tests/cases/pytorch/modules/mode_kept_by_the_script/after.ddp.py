"""The model is made with an attribute of the script's that is its mode: what it gives hangs on it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self, training):
        super().__init__()
        self.conv = nn.Conv1d(1, 3, 3, padding=1)
        self.training = training

    def forward(self, x):
        out = self.conv(x)
        if self.training is True:
            return out, out * 2
        return out


class Dice(nn.Module):
    def forward(self, guess, target):
        near = 0.0
        for i in range(guess.size(1)):
            both = (guess[:, i] * target[:, i]).sum(dim=1)
            near += 2 * both / (guess[:, i].pow(2).sum(dim=1) + target[:, i].pow(2).sum(dim=1) + 1)
        return (1 - near / guess.size(1)).mean()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 1, 9), torch.randn(64, 3, 9))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
held_out_sampler = range(dist.get_rank(), len(data), dist.get_world_size())
held_out = DataLoader(data, batch_size=8, sampler=held_out_sampler)
model = Net(training=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = Dice()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        first, second = ddp_model(x)
        loss = criterion(first, y) + criterion(second, y)
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item() * len(x)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    if dist.get_rank() == 0:
        print(total / len(data))
del ddp_model
dist.destroy_process_group()
