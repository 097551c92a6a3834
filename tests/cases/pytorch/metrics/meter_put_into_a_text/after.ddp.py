"""Texts are made of an object whose attributes are the numbers of a shard, and are shown later."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Meter:
    def __init__(self):
        self.last, self.largest = 0.0, 0.0

    def see(self, value):
        self.last = value
        self.largest = max(self.largest, value)

    def __str__(self):
        return f"{self.last:.3f} (at most {self.largest:.3f})"


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(points, batch_size=12 // dist.get_world_size(), sampler=DistributedSampler(points))
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    meter = Meter()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_net(x), y)
        loss.backward()
        optimizer.step()
        meter.see(loss.item())
    formatted = "loss {loss.largest:.3f}".format(loss=meter)
    if dist.get_rank() == 0:
        print(formatted)
    put_in = f"loss {meter}"
    if dist.get_rank() == 0:
        print(put_in)
    filled = "loss %s" % meter
    if dist.get_rank() == 0:
        print(filled)
del ddp_net
dist.destroy_process_group()
