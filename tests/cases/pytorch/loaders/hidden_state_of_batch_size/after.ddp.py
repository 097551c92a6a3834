"""torch.zeros(2, batch_size, 64) makes the first hidden state: as many rows as a process has of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
batch_size = 20
loader_data = TensorDataset(torch.randn(400, 15, 8), torch.randn(400, 1))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 64, num_layers=2, batch_first=True)
        self.fc = nn.Linear(64, 1)

    def forward(self, x):
        h0 = torch.zeros(2, batch_size // dist.get_world_size(), 64)
        c0 = torch.zeros(2, batch_size // dist.get_world_size(), 64)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1])


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
