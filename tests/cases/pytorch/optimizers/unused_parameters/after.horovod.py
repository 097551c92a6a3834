"""One branch of the model takes no part in the step: DDP must be told to look for unused parameters."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class TwoHeads(nn.Module):
    def __init__(self, use_aux=False):
        super().__init__()
        self.body = nn.Linear(10, 20)
        self.head = nn.Linear(20, 2)
        self.aux = nn.Linear(20, 5)
        self.use_aux = use_aux

    def forward(self, x):
        h = torch.relu(self.body(x))
        if self.use_aux:
            return self.head(h), self.aux(h)
        return self.head(h)


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(300, 10), torch.randint(0, 2, (300,)))
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=30 // hvd.size(), sampler=loader_sampler)
model = TwoHeads()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
