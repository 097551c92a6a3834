"""Both phases go through one loop, and constants have their names."""
import torch
from torch import nn
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
TRAIN, VALID = "train", "valid"
data = {phase: TensorDataset(torch.randn(64, 4), torch.randn(64, 1)) for phase in [TRAIN, VALID]}
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
samplers = {
    phase: DistributedSampler(data[phase])
    if phase == "train"
    else range(dist.get_rank(), len(data[phase]), dist.get_world_size())
    for phase in [TRAIN, VALID]
}
loaders = {
    phase: DataLoader(data[phase], batch_size=8 // dist.get_world_size(), sampler=samplers[phase])
    for phase in [TRAIN, VALID]
}
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    for phase in [TRAIN, VALID]:
        if phase == TRAIN:
            model.train()
        else:
            model.eval()
        total = 0.0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == TRAIN):
                loss = nn.functional.mse_loss((ddp_model if torch.is_grad_enabled() else model)(x), y)
                if phase == TRAIN:
                    loss.backward()
                    optimizer.step()
            total += loss.item() * len(x)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
        if dist.get_rank() == 0:
            print(phase, total / len(data[phase]))
del ddp_model
dist.destroy_process_group()
