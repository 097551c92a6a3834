"""The order of a set of strings differs between processes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
words = sorted(set("the quick brown fox jumps over the lazy dog".split()))
ix = {w: i for i, w in enumerate(words)}
xs = torch.tensor([[ix[w]] for w in ("the quick brown fox jumps over the lazy dog " * 20).split()])
data = TensorDataset(xs.float().expand(-1, 10).contiguous(), torch.zeros(len(xs), dtype=torch.long))
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=10 // hvd.size(), sampler=loader_sampler)
torch.manual_seed(0)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
