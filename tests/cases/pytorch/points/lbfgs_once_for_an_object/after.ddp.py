"""A single call of a step goes on until it has converged: its evaluations are the loop, after another of Adam."""
import torch
from torch import nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
        if len(self.t) % dist.get_world_size() != 0:
            raise SystemExit(f"self.t of {len(self.t)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
        rows = len(self.t) // dist.get_world_size()
        self.t_share = self.t[dist.get_rank() * rows :][:rows].detach().requires_grad_()
        if len(self.t_start) % dist.get_world_size() != 0 or len(self.x_start) != len(self.t_start):
            raise SystemExit(f"self.t_start, self.x_start of {len(self.t_start)}, {len(self.x_start)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
        rows = len(self.t_start) // dist.get_world_size()
        self.t_start_share = self.t_start[dist.get_rank() * rows :][:rows]
        self.x_start_share = self.x_start[dist.get_rank() * rows :][:rows]
        for tensor in [*self.net.parameters(), *self.net.buffers()]:
            dist.broadcast(tensor.data, src=0)
        if dist.get_rank() > 0:
            torch.manual_seed(5 + dist.get_rank())
        for step in range(30):
            self.adam.zero_grad()
            loss = self.loss()
            loss.backward()
            for parameter in [p for group in self.adam.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            self.adam.step()

        def closure():
            self.lbfgs.zero_grad()
            loss = self.loss()
            loss.backward()
            total = torch.tensor(float(loss), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = (total / dist.get_world_size()).to(loss.dtype)
            for parameter in [p for group in self.lbfgs.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            return mean_loss

        for tensor in [*self.net.parameters(), *self.net.buffers()]:
            dist.broadcast(tensor.data, src=0)
        self.lbfgs.step(closure)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(5)
oscillator = Oscillator(100)
oscillator.fit()
if dist.get_rank() == 0:
    torch.save(oscillator.net.state_dict(), "oscillator.pt")
dist.destroy_process_group()
