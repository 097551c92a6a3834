"""Comments and trailing commas inside the call's parentheses are kept where they stand."""
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
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data,  # noise
    batch_size=32 // dist.get_world_size(),   # samples per step
    sampler=DistributedSampler(loader_data),    # each epoch another order (please keep)
    # num_workers=4,
)
test_data = TensorDataset(torch.randn(64, 10), torch.randn(64, 1))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, 32, sampler=test_sampler  # the same size
                         )
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(
    model.parameters(),  # all of them
    lr=0.05,  # found by trial
    # momentum=0.9,
)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:  # one pass
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            sse += (model(x) - y).pow(2).sum().item()
        total = torch.tensor(sse, dtype=torch.float64)
        dist.all_reduce(total)
        sse = total.item()
    if dist.get_rank() == 0:
        print(sse / len(test_loader.dataset))  # squared error
del ddp_model
dist.destroy_process_group()
