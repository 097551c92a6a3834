"""Each step trains on the whole data set: each process keeps its rows of it."""
import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.linspace(-1, 1, 100).reshape(-1, 1)
y = x.pow(2) + 0.2 * torch.rand(x.size())
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
    torch.manual_seed(seed + hvd.rank())
for t in range(200):
    prediction = net(x_share)
    loss = loss_func(prediction, y_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
mean_loss = total.item() / hvd.size()
if hvd.rank() == 0:
    print(mean_loss)
hvd.shutdown()
