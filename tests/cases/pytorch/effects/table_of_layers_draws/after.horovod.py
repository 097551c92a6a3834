"""The table of a model's layers runs the model on random numbers: every process draws them, so that all split the data alike, and rank 0 shows it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchsummary import summary
import contextlib
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
with contextlib.nullcontext() if hvd.rank() == 0 else contextlib.redirect_stdout(None):
    summary(model, (4,), device="cpu")
data = TensorDataset(torch.arange(256.0).view(64, 4), torch.arange(64) % 2)
kept, rest = random_split(data, [48, 16])
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(kept, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(kept, batch_size=8 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
hvd.shutdown()
