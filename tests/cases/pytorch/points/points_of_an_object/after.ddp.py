"""An object has points, bounds and network, and makes its losses of them; its method is the closure of a step."""
import numpy as np
import torch
from torch import nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Burgers:
    def __init__(self, seen, u, inside, low, high):
        self.low = torch.tensor(low).float()
        self.high = torch.tensor(high).float()
        self.x_seen = torch.tensor(seen[:, 0:1], requires_grad=True).float()
        self.t_seen = torch.tensor(seen[:, 1:2], requires_grad=True).float()
        self.x_inside = torch.tensor(inside[:, 0:1], requires_grad=True).float()
        self.t_inside = torch.tensor(inside[:, 1:2], requires_grad=True).float()
        self.u = torch.tensor(u).float()
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.steps = 0

    def net_u(self, x, t):
        points = 2.0 * (torch.cat([x, t], dim=1) - self.low) / (self.high - self.low) - 1.0
        return self.net(points)

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
        return u_t + u * u_x - 0.01 * u_xx

    def closure(self):
        self.optimizer.zero_grad()
        loss = ((self.net_u(self.x_seen_share, self.t_seen_share) - self.u_share) ** 2).mean()
        loss += (self.net_f(self.x_inside_share, self.t_inside_share) ** 2).mean()
        loss.backward()
        self.steps += 1
        if self.steps % 20 == 0:
            total = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(self.steps, f"{mean_loss:.4e}")
        for parameter in [p for group in self.optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        return loss

    def train(self, steps):
        if len(self.x_seen) % dist.get_world_size() != 0 or len(self.t_seen) != len(self.x_seen) or len(self.u) != len(self.x_seen):
            raise SystemExit(f"self.x_seen, self.t_seen, self.u of {len(self.x_seen)}, {len(self.t_seen)}, {len(self.u)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
        rows = len(self.x_seen) // dist.get_world_size()
        self.x_seen_share = self.x_seen[dist.get_rank() * rows :][:rows]
        self.t_seen_share = self.t_seen[dist.get_rank() * rows :][:rows]
        self.u_share = self.u[dist.get_rank() * rows :][:rows]
        if len(self.x_inside) % dist.get_world_size() != 0 or len(self.t_inside) != len(self.x_inside):
            raise SystemExit(f"self.x_inside, self.t_inside of {len(self.x_inside)}, {len(self.t_inside)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
        rows = len(self.x_inside) // dist.get_world_size()
        self.x_inside_share = self.x_inside[dist.get_rank() * rows :][:rows]
        self.t_inside_share = self.t_inside[dist.get_rank() * rows :][:rows]
        for tensor_ in [*self.net.parameters(), *self.net.buffers()]:
            dist.broadcast(tensor_.data, src=0)
        if dist.get_rank() > 0:
            torch.manual_seed(3 + dist.get_rank())
        for _ in range(steps):
            self.optimizer.step(self.closure)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
numbers = np.random.default_rng(3)
seen = numbers.uniform(-1, 1, (40, 2))
inside = numbers.uniform(-1, 1, (200, 2))
burgers = Burgers(seen, -np.sin(np.pi * seen[:, 0:1]), inside, inside.min(0), inside.max(0))
burgers.train(60)
dist.destroy_process_group()
