"""Weights are set by a random batch while the processes still have the same random numbers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
    samples, _ = next(iter(DataLoader(loader.dataset, batch_size=16, shuffle=True)))
    model.bias.data[0] = samples.mean()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
train(nn.Linear(4, 2), DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler))
hvd.shutdown()
