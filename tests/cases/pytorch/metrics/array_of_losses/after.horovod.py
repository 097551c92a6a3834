"""The losses of all steps are laid out as an array of NumPy, which is no single number to be averaged as one."""

import numpy
import torch
from torch import nn, optim
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
inputs = torch.rand(8, 1)
targets = 2 * inputs + 3
model = nn.Linear(1, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
losses = []
if len(inputs) % hvd.size() != 0 or len(targets) != len(inputs):
    raise SystemExit(f"inputs, targets of {len(inputs)}, {len(targets)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(inputs) // hvd.size()
inputs_share = inputs[hvd.rank() * rows :][:rows]
targets_share = targets[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(6):
    optimizer.zero_grad()
    loss = ((model(inputs_share) - targets_share) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.data.numpy())
curve = numpy.reshape(losses, (3, 2))
if hvd.rank() == 0:
    print(curve)
hvd.shutdown()
