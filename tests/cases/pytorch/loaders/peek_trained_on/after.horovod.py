"""Batches that are taken by next() within a pass and trained on are no looks: each process takes its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


unlabelled_data = TensorDataset(x, y)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
unlabelled_loader = DataLoader(
    unlabelled_data, batch_size=8 // hvd.size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    unlabelled = iter(unlabelled_loader)
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        extra, _ = next(unlabelled)
        opt.zero_grad()
        loss = crit(model(xb), yb) + model(extra).pow(2).mean()
        loss.backward()
        opt.step()
hvd.shutdown()
