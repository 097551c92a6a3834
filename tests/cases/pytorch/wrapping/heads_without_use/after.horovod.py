"""Layers that a comprehension makes get no gradient: the forward pass does not use them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(6, 4) for _ in range(3)])
        self.out = nn.Linear(6, 3)

    def forward(self, x):
        return self.out(x)


hvd.init()
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randint(3, (48,))
loader_data = TensorDataset(x, y)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
