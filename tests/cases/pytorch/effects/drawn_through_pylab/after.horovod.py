"""Curves through matplotlib.pylab, which has the functions of pyplot."""
import matplotlib
import horovod.torch as hvd
import torch
from torch.utils.data.distributed import DistributedSampler
matplotlib.use("Agg")
import matplotlib.pylab as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
losses = []
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    losses.append(total / len(loader))
    if hvd.rank() == 0:
        print(losses[-1])
if hvd.rank() == 0:
    plt.figure()
    plt.plot(losses)
    plt.savefig("losses.png")
    plt.show()
hvd.shutdown()
