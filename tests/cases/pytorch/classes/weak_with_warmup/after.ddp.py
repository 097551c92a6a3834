"""The rate is warmed up in a method."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05 * dist.get_world_size())

    def train_epoch(self, epoch, warmup):
        self.loader.sampler.set_epoch(epoch)
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.ddp_model(x), y).backward()
            self.optimizer.step()
            warmup.step()

    def fit(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        warmup = LinearLR(
            self.optimizer,
            start_factor=1 / dist.get_world_size(),
            total_iters=max(1, int(min(5, epochs / 10) * len(self.loader))),
        )
        for epoch in range(epochs):
            self.train_epoch(epoch, warmup=warmup)
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 8)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16, sampler=loader_sampler)
trainer = Trainer(nn.Linear(8, 1), loader)
trainer.fit(30)
dist.destroy_process_group()
