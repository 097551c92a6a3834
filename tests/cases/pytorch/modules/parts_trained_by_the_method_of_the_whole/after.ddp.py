"""A model of two networks has a method that makes a step of each: each is called by itself, past the whole."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Adversaries(nn.Module):
    def __init__(self, noise):
        super().__init__()
        self.noise = noise
        self.generator = nn.Sequential(nn.Linear(noise, 8), nn.ReLU(), nn.Linear(8, 4))
        self.critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.criterion = nn.BCEWithLogitsLoss()
        self.of_generator = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        self.of_critic = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def train_step(self, real):
        ones = torch.ones(real.size(0), 1)
        fake = self.generator(torch.randn(real.size(0), self.noise))
        self.of_critic.zero_grad()
        judged = self.criterion(self.critic(real), ones)
        judged = judged + self.criterion(self.critic(fake.detach()), torch.zeros(real.size(0), 1))
        judged.backward()
        for parameter in [p for group in self.of_critic.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        self.of_critic.step()
        self.of_generator.zero_grad()
        fooled = self.criterion(self.critic(fake), ones)
        fooled.backward()
        for parameter in [p for group in self.of_generator.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        self.of_generator.step()
        return judged.item(), fooled.item()

    def fit(self, loader, epochs):
        for tensor in [*self.parameters(), *self.buffers()]:
            dist.broadcast(tensor.data, src=0)
        if dist.get_rank() > 0:
            torch.manual_seed(torch.initial_seed() + dist.get_rank())
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for step, (real,) in enumerate(loader):
                judged, fooled = self.train_step(real)
                if step % 10 == 0:
                    totals = torch.tensor([judged, fooled], dtype=torch.float64)
                    dist.all_reduce(totals)
                    mean_judged, mean_fooled = (
                        totals[0].item() / dist.get_world_size(),
                        totals[1].item() / dist.get_world_size(),
                    )
                    if dist.get_rank() == 0:
                        print(epoch, step, mean_judged, mean_fooled)
                        if not os.path.exists("made"):
                            os.makedirs("made")
                        torch.save(self.generator.state_dict(), f"made/{epoch}_{step}.pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
adversaries = Adversaries(2)
loader_data = TensorDataset(torch.randn(64, 4))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
adversaries.fit(DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler), 3)
dist.destroy_process_group()
