"""Texts are made of an object whose attributes are the numbers of a shard, and are shown later."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Meter:
    def __init__(self):
        self.last, self.largest = 0.0, 0.0

    def see(self, value):
        self.last = value
        self.largest = max(self.largest, value)

    def __str__(self):
        return f"{self.last:.3f} (at most {self.largest:.3f})"


hvd.init()
torch.manual_seed(0)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(points, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(points, batch_size=12 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    meter = Meter()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        meter.see(loss.item())
    formatted = "loss {loss.largest:.3f}".format(loss=meter)
    if hvd.rank() == 0:
        print(formatted)
    put_in = f"loss {meter}"
    if hvd.rank() == 0:
        print(put_in)
    filled = "loss %s" % meter
    if hvd.rank() == 0:
        print(filled)
hvd.shutdown()
