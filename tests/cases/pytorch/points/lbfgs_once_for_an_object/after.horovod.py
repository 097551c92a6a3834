"""A single call of a step goes on until it has converged: its evaluations are the loop, after another of Adam."""
import torch
from torch import nn
import horovod.torch as hvd


class Oscillator:
    def __init__(self, count):
        self.t = torch.linspace(0, 6, count).view(-1, 1).requires_grad_(True)
        self.t_start = torch.zeros(4, 1)
        self.x_start = torch.ones(4, 1)
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-2)
        self.lbfgs = torch.optim.LBFGS(self.net.parameters(), max_iter=15, line_search_fn="strong_wolfe")

    def loss(self):
        x = self.net(self.t_share)
        speed = torch.autograd.grad(x, self.t_share, torch.ones_like(x), create_graph=True)[0]
        force = torch.autograd.grad(speed, self.t_share, torch.ones_like(speed), create_graph=True)[0]
        return ((force + x) ** 2).mean() + ((self.net(self.t_start_share) - self.x_start_share) ** 2).mean()

    def fit(self):
        if len(self.t) % hvd.size() != 0:
            raise SystemExit(f"self.t of {len(self.t)} rows cannot be shared out evenly over {hvd.size()} processes")
        rows = len(self.t) // hvd.size()
        self.t_share = self.t[hvd.rank() * rows :][:rows].detach().requires_grad_()
        if len(self.t_start) % hvd.size() != 0 or len(self.x_start) != len(self.t_start):
            raise SystemExit(f"self.t_start, self.x_start of {len(self.t_start)}, {len(self.x_start)} rows cannot be shared out evenly over {hvd.size()} processes")
        rows = len(self.t_start) // hvd.size()
        self.t_start_share = self.t_start[hvd.rank() * rows :][:rows]
        self.x_start_share = self.x_start[hvd.rank() * rows :][:rows]
        hvd.broadcast_parameters(self.net.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(5 + hvd.rank())
        for step in range(30):
            self.adam.zero_grad()
            loss = self.loss()
            loss.backward()
            hvd.grouped_allreduce_(
                [p.grad for group in self.adam.param_groups for p in group["params"] if p.grad is not None]
            )
            self.adam.step()

        def closure():
            self.lbfgs.zero_grad()
            loss = self.loss()
            loss.backward()
            total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
            mean_loss = (total / hvd.size()).to(loss.dtype)
            hvd.grouped_allreduce_(
                [p.grad for group in self.lbfgs.param_groups for p in group["params"] if p.grad is not None]
            )
            return mean_loss

        hvd.broadcast_parameters(self.net.state_dict(), root_rank=0)
        self.lbfgs.step(closure)


hvd.init()
torch.manual_seed(5)
oscillator = Oscillator(100)
oscillator.fit()
if hvd.rank() == 0:
    torch.save(oscillator.net.state_dict(), "oscillator.pt")
hvd.shutdown()
