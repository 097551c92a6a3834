"""Rows are written out, as many of one as of the other, once a list has grown: the program asks for what N divides."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
rows = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
rows.append([1.0, 1.0])
inputs = torch.tensor(rows)
labels = torch.tensor([0, 1, 1, 0])
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if len(inputs) % hvd.size() != 0 or len(labels) != len(inputs):
    raise SystemExit(f"inputs, labels of {len(inputs)}, {len(labels)} rows cannot be shared out evenly over {hvd.size()} processes")
rows_ = len(inputs) // hvd.size()
inputs_share = inputs[hvd.rank() * rows_ :][:rows_]
labels_share = labels[hvd.rank() * rows_ :][:rows_]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(100):
    loss = nn.functional.cross_entropy(model(inputs_share), labels_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
