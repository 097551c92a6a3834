"""The samples of whole batches of training data are counted: each once, so nothing is said."""
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
train_set = TensorDataset(torch.randn(323, 8), torch.randint(0, 3, (323,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(train_set, drop_last=True)
loader = DataLoader(train_set, batch_size=32 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
val_loader = DataLoader(TensorDataset(torch.randn(35, 8), torch.randint(0, 3, (35,))), batch_size=32)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

total = torch.tensor(sum(x.size(0) for x, _ in loader), dtype=torch.float64)
dist.all_reduce(total)
total_loader = int(total)
sum_result = sum(len(y) for _, y in val_loader)
if dist.get_rank() == 0:
    print("samples:", total_loader, "held out:", sum_result)
sizes = [len(y) for _, y in loader]
total = torch.tensor(sum(sizes), dtype=torch.float64)
dist.all_reduce(total)
total_sizes = int(total)
if dist.get_rank() == 0:
    print("in all:", total_sizes)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
