"""The forward pass spreads itself over several GPUs of one process, if it is told to."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self, gpus):
        super().__init__()
        self.gpus = gpus
        self.main = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        if x.is_cuda and self.gpus > 1:
            out = self.main(x)
        else:
            out = self.main(x)
        return out


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 6), torch.randint(3, (96,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = Net(1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.shutdown()
