"""``unbind`` takes the dimension away, and a squeezed part has none of its own: the loss is a mean, and stays."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
y = torch.randint(0, 3, (320,))
w = torch.rand(320)
loader_data = TensorDataset(x, y, w)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
if 32 // hvd.size() < 3:
    raise SystemExit(f"each of {hvd.size()} processes needs at least 3 samples of a batch")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb, wb in loader:
        first, second, _ = model(xb).unbind(1)
        third = model(xb).split(1, dim=1)[2].squeeze(1)
        loss = F.mse_loss(first, wb) + F.mse_loss(second, wb) + F.mse_loss(third, wb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
