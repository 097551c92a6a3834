"""Nothing is asked of losses whose sides are known to be alike, or are wider than one number a sample."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
coder = nn.Sequential(nn.Linear(4, 2), nn.Linear(2, 4))
optimizer = torch.optim.SGD([*model.parameters(), *coder.parameters()], lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(coder.state_dict(), root_rank=0)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        coded = coder(inputs)
        outputs = model(coded)
        loss = F.mse_loss(coded, inputs) + F.l1_loss(outputs.view(-1), targets.view(-1))
        loss.backward()
        optimizer.step()
hvd.shutdown()
