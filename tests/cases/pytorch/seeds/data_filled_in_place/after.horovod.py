"""Data that is drawn by methods, initialisers and distributions, without a seed: rank 0's is shared.

The weights of the layer are drawn in place, too: the wrapper sends them around.
"""

import torch
from torch import nn, optim
from torch.distributions import Normal
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
inputs = nn.init.uniform_(torch.Tensor(1000, 3), -1, 1)
weights = Normal(torch.zeros(3, 1), torch.ones(3, 1)).sample()
noise = torch.empty(1000, 1).normal_(0, 0.1)
targets = inputs.mm(weights) + noise

model = nn.Linear(3, 1)
nn.init.normal_(model.weight, std=0.02)
optimizer = optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if len(inputs) % hvd.size() != 0 or len(targets) != len(inputs):
    raise SystemExit(f"inputs, targets of {len(inputs)}, {len(targets)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(inputs) // hvd.size()
inputs_share = inputs[hvd.rank() * rows :][:rows]
targets_share = targets[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for step in range(100):
    optimizer.zero_grad()
    loss = ((model(inputs_share) - targets_share) ** 2).mean()
    loss.backward()
    optimizer.step()
hvd.shutdown()
