"""A class holds the model, the loader and the training step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        total = 0.0
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.ddp_model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        return total / len(self.loader)

    def fit(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(torch.initial_seed() + dist.get_rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            train_epoch_result = self.train_epoch()
            if dist.get_rank() == 0:
                print(epoch, train_epoch_result)
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
Trainer(nn.Linear(10, 1), loader, 0.01).fit(5)
dist.destroy_process_group()
