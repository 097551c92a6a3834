"""A mean over samples that were chosen, and put together with others along their features."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean_of_all_rows(values):
    count = hvd.allreduce(torch.tensor(values.numel(), device=values.device), op=hvd.Sum)
    return values.sum() * hvd.size() / count


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = model(x)
        kept = y > 0
        both = torch.cat([out[kept], out[kept] * 2], dim=1)
        loss = mean_of_all_rows(both.square())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
