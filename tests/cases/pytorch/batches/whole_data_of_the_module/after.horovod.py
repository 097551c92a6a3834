"""A function trains on all data of the module in each step."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.linspace(-1, 1, 100).unsqueeze(1)
y = x.pow(2) + 0.2 * torch.rand(x.size())


def fit_and_save():
    net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
    loss_func = nn.MSELoss()
    if len(x) % hvd.size() != 0 or len(y) != len(x):
        raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
    rows = len(x) // hvd.size()
    x_share = x[hvd.rank() * rows :][:rows]
    y_share = y[hvd.rank() * rows :][:rows]
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for t in range(100):
        prediction = net(x_share)
        loss = loss_func(prediction, y_share)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        torch.save(net.state_dict(), "net.pt")


fit_and_save()
hvd.shutdown()
