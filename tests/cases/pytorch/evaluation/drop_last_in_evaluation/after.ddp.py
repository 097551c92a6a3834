"""The user's evaluation loader drops its last batch: the batches evaluated must stay those of the sequential run."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(640, 4), torch.randn(640, 1))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=64 // dist.get_world_size(), sampler=train_dl_sampler)
test_dl_data = TensorDataset(torch.randn(200, 4), torch.randn(200, 1))
test_dl_batches = list(BatchSampler(range(len(test_dl_data)), 64, drop_last=True))[
    dist.get_rank()::dist.get_world_size()
]
test_dl = DataLoader(test_dl_data, batch_sampler=test_dl_batches)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
loss = 0.0
with torch.no_grad():
    for x, y in test_dl:
        loss += nn.functional.mse_loss(model(x), y).item()
    totals = torch.tensor([loss, len(test_dl)], dtype=torch.float64)
    dist.all_reduce(totals)
    loss, num_batches = totals[0].item(), int(totals[1])
if dist.get_rank() == 0:
    print("test loss", loss / num_batches)
del ddp_model
dist.destroy_process_group()
