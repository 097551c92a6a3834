"""A function thaws parameters in the training loop, which it has frozen before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
features = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
model = nn.Sequential(features, nn.Linear(16, 2))
set_trainable(features, False)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    if epoch == 2:
        set_trainable(features, True)
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_([p_.grad for group in opt.param_groups for p_ in group["params"] if p_.grad is not None])
        opt.step()
hvd.shutdown()
