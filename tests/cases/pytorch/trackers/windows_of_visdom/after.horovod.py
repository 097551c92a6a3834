"""Windows that are shown later are rank 0's, like what they are shown by."""

import torch
import torch.nn.functional as F
from visdom import Visdom
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
viz = Visdom(env="digits") if hvd.rank() == 0 else None
window = viz.line([0.0], [0.0], opts=dict(title="loss")) if hvd.rank() == 0 else None

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 4 == 0:
            total_ = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
            mean_loss = total_.item() / hvd.size()
            if hvd.rank() == 0:
                viz.line([mean_loss], [step], win=window, update="append")
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        viz.text(f"epoch {epoch}: {total / len(loader)}", win="log")
hvd.shutdown()
