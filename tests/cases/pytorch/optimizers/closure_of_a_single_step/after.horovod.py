"""LBFGS is called once, and evaluates its closure as often as it needs to."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.linspace(0, 1, 64).view(-1, 1)
y = torch.sin(6 * x)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=40, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = criterion(model(x_share), y_share)
    loss.backward()
    total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
    mean_loss = (total / hvd.size()).to(loss.dtype)
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    return mean_loss


if len(x) % hvd.size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows]
y_share = y[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
first = optimizer.step(closure)
model_result = model(x)
if hvd.rank() == 0:
    print(first.item(), criterion(model_result, y).item())
hvd.shutdown()
