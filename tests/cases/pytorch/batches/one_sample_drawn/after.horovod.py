"""One sample of the predictions is drawn over its own positions: it is as long on each process."""

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
places = np.vstack([np.linspace(-1, 1, 15) for _ in range(64)])
curves = torch.from_numpy(np.power(places, 2)).float()
net = nn.Sequential(nn.Linear(15, 32), nn.ReLU(), nn.Linear(32, 15))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
if len(curves) % hvd.size() != 0:
    raise SystemExit(f"{len(curves)} samples cannot be shared out evenly over {hvd.size()} processes")
rows = len(curves) // hvd.size()
curves_share = curves[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(20):
    drawn = net(curves_share)
    loss = nn.functional.mse_loss(drawn, curves_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if hvd.rank() == 0:
    plt.plot(places[0], drawn.data.numpy()[0])
    plt.savefig("curve.png")
hvd.shutdown()
