"""A pass that ends at the first batch shows it whole; a flag tells the function which loader is shared out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make(n, shuffle=True, for_training=False):
    loader_data = TensorDataset(torch.randn(n, 4), torch.randn(n, 1))
    if for_training:
        if 8 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(loader_data)
        share = 8 // dist.get_world_size()
    else:
        sampler = None
        share = 8
    return DataLoader(loader_data, batch_size=share, sampler=sampler)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
train_loader = make(640, for_training=True)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    plot_loader = make(64)
    for x, y in DataLoader(plot_loader.dataset, batch_size=8, shuffle=True):
        model_result = model(x)
        if dist.get_rank() == 0:
            print(model_result.mean().item())
        break
del ddp_model
dist.destroy_process_group()
