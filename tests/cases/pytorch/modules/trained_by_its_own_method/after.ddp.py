"""The model has a method that trains it: what it calls of itself there is the forward pass of the training step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        self.criterion = nn.MSELoss()

    def forward(self, x):
        return self.net(x)

    def fit(self, loader, epochs):
        ddp_self = DistributedDataParallel(self)
        if dist.get_rank() > 0:
            torch.manual_seed(torch.initial_seed() + dist.get_rank())
        for epoch in range(epochs):
            total = 0.0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(ddp_self(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            total_ = torch.tensor(total, dtype=torch.float64)
            dist.all_reduce(total_)
            total = total_.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(epoch, total / len(loader))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
model = Regressor()
model.fit(loader, 3)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.destroy_process_group()
