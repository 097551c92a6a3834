"""A penalty on weights has layers in it that the forward pass leaves out: they get a gradient without DDP's forward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.spare = nn.Linear(6, 4)
        self.out = nn.Linear(6, 3)

    def forward(self, x):
        return self.out(x)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        penalty = sum(p.norm() for p in model.parameters())
        loss = nn.functional.cross_entropy(model(inputs), labels) + 1e-3 * penalty
        loss.backward()
        hvd.grouped_allreduce_(
            [p_.grad for group in optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
