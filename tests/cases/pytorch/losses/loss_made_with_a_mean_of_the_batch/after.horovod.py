"""A loss is made in each step with the mean size of the inputs of the batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
loader_data = TensorDataset(x, y)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(5, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for points, classes in loader:
        optimizer.zero_grad()
        total = hvd.allreduce(torch.tensor(points.abs().mean().item(), dtype=torch.float64), op=hvd.Sum)
        mean_abs = total.item() / hvd.size()
        criterion = nn.HuberLoss(delta=mean_abs)
        loss = criterion(net(points)[:, 0], classes.float())
        loss.backward()
        optimizer.step()
hvd.shutdown()
