"""How often a layer is used is drawn at random for each step, and may be never."""
import random

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
random.seed(seed % 2**32)
x, y = torch.randn(64, 10), torch.randn(64, 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.middle, self.last = nn.Linear(10, 16), nn.Linear(16, 16), nn.Linear(16, 2)

    def forward(self, x):
        h = self.first(x).clamp(min=0)
        for _ in range(random.randint(0, 3)):
            h = self.middle(h).clamp(min=0)
        return self.last(h)


model = Net()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
if len(x) % hvd.size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows]
y_share = y[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for step in range(50):
    loss = criterion(model(x_share), y_share)
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(step, mean_loss)
    optimizer.zero_grad()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
