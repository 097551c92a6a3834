"""A model of two networks has a method that makes a step of each: each is called by itself, past the whole."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
        hvd.grouped_allreduce_(
            [p.grad for group in self.of_critic.param_groups for p in group["params"] if p.grad is not None]
        )
        self.of_critic.step()
        self.of_generator.zero_grad()
        fooled = self.criterion(self.critic(fake), ones)
        fooled.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in self.of_generator.param_groups for p in group["params"] if p.grad is not None]
        )
        self.of_generator.step()
        return judged.item(), fooled.item()

    def fit(self, loader, epochs):
        hvd.broadcast_parameters(self.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(torch.initial_seed() + hvd.rank())
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for step, (real,) in enumerate(loader):
                judged, fooled = self.train_step(real)
                if step % 10 == 0:
                    totals = hvd.allreduce(torch.tensor([judged, fooled], dtype=torch.float64), op=hvd.Sum)
                    mean_judged, mean_fooled = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
                    if hvd.rank() == 0:
                        print(epoch, step, mean_judged, mean_fooled)
                        if not os.path.exists("made"):
                            os.makedirs("made")
                        torch.save(self.generator.state_dict(), f"made/{epoch}_{step}.pt")


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
adversaries = Adversaries(2)
loader_data = TensorDataset(torch.randn(64, 4))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
adversaries.fit(DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler), 3)
hvd.shutdown()
