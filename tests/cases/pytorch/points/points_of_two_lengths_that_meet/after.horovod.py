"""Points of which the rows are put one after another have to be equally many, or the program stops at its start."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
x = torch.linspace(0, 1, 40).view(-1, 1)
x_b = torch.rand(8, 1)
if len(x) % hvd.size() != 0 or len(x_b) != len(x):
    raise SystemExit(f"x, x_b of {len(x)}, {len(x_b)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows]
x_b_share = x_b[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for i in range(20):
    z = torch.cat([x_share, x_b_share])
    loss = ((model(z) - torch.sin(z)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
hvd.shutdown()
