"""A stream has no numbers to deal out: all processes evaluate all of it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
class Stream(IterableDataset):
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield torch.tensor([i / 10, i / 7]), torch.tensor([float(i)])
hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 2), torch.randn(64, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
val = DataLoader(Stream(50), batch_size=16)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-3)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in val:
            total += nn.functional.mse_loss(model(x), y).item() * len(x)
            n += len(x)
    if hvd.rank() == 0:
        print(total / n)
hvd.shutdown()
