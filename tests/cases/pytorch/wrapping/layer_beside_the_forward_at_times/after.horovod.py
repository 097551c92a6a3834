"""A layer that forward leaves out and some steps use is neither unused nor used to DDP: nothing is wrapped."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 6)
        self.head = nn.Linear(6, 2)
        self.scale = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        if epoch > 0:
            loss = loss + 0.1 * model.scale(a).pow(2).mean()
        loss.backward()
        hvd.grouped_allreduce_([p.grad for group in opt.param_groups for p in group["params"] if p.grad is not None])
        opt.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
