"""All parts of a batch but the last go to the model: after a star, or cut out of the batch."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(8, 4)
        self.right = nn.Linear(8, 4)

    def forward(self, left, right):
        return self.left(left) + self.right(right)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = load_features("pairs")
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
own_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 8), torch.rand(64, 4))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
own_sampler = DistributedSampler(own_data, seed=1000)
own = DataLoader(own_data, batch_size=16 // dist.get_world_size(), sampler=own_sampler)
model = Pair()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(*batch[:-1]), batch[-1])
        loss.backward()
        optimizer.step()
    own.sampler.set_epoch(epoch)
    for batch in own:
        *pair, wanted = [part.float() for part in batch]
        optimizer.zero_grad()
        loss = criterion(ddp_model(*pair), wanted)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
