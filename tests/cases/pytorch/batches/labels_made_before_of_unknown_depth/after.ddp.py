"""Labels made before training, and a model of which is not known whether it gives a column: the program looks."""
import torch
from torch import nn
from torchvision.models import resnet18
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
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
batch_size = 12
loader_data = TensorDataset(torch.randn(96, 3, 32, 32))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False, drop_last=True)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), drop_last=True, sampler=loader_sampler)
model = resnet18(num_classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
labels = torch.ones(batch_size // dist.get_world_size())
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
