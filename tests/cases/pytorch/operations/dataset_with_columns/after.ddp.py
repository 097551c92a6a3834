"""The data set gives targets with a column, as the model does."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Houses(Dataset):
    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.features = rng.normal(size=(n, 6)).astype(np.float32)
        self.price = self.features.sum(1).astype(np.float32)

    def __len__(self):
        return len(self.price)

    def __getitem__(self, i):
        return torch.from_numpy(self.features[i]), torch.tensor([self.price[i]])


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Houses(320)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Regressor()
criterion = nn.MSELoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = criterion(ddp_model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
del ddp_model
dist.destroy_process_group()
