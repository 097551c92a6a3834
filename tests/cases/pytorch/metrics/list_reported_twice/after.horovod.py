"""A list of losses is written as a whole, and some of its items are printed: two wholes of one name do not meet."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
curve = []
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
mean_curve = hvd.allreduce(torch.tensor(curve, dtype=torch.float64), op=hvd.Sum)
mean_curve = (mean_curve / hvd.size()).tolist()
if hvd.rank() == 0:
    np.savetxt("curve.txt", mean_curve)
totals = hvd.allreduce(torch.tensor([curve[0], curve[-1]], dtype=torch.float64), op=hvd.Sum)
mean_curve_, mean_curve_2 = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
if hvd.rank() == 0:
    print(mean_curve, round(mean_curve_, 4), round(mean_curve_2, 4))
    print("steps", len(curve))
hvd.shutdown()
