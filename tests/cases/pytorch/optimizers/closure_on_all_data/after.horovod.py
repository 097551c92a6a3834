"""LBFGS with a line search on all data; the closure prints the loss of each evaluation."""
import torch
from torch import nn, optim
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
y = torch.sin(x.sum(1, keepdim=True))
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=5, line_search_fn="strong_wolfe")
if len(x) % hvd.size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows]
y_share = y[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(6):

    def closure():
        optimizer.zero_grad()
        loss = criterion(model(x_share), y_share)
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print("loss:", mean_loss)
        loss.backward()
        total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
        mean_loss = (total / hvd.size()).to(loss.dtype)
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        return mean_loss

    optimizer.step(closure)
hvd.shutdown()
