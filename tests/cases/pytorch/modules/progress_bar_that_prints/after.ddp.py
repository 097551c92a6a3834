"""A progress bar in a module of the project prints at each batch: rank 0 alone calls it, with global values."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from bars import progress_bar
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loss, correct, seen = 0, 0, 0
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        output = ddp_model(x)
        loss = nn.functional.cross_entropy(output, y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        seen += y.size(0)
        correct += output.argmax(1).eq(y).sum().item()
        totals = torch.tensor([train_loss / (i + 1), correct, seen], dtype=torch.float64)
        dist.all_reduce(totals)
        mean_train_loss, total_correct, total_seen = (
            totals[0].item() / dist.get_world_size(),
            int(totals[1]),
            int(totals[2]),
        )
        if dist.get_rank() == 0:
            progress_bar(i, len(loader), 'Loss: %.3f | %d of %d' % (mean_train_loss, total_correct, total_seen))
del ddp_model
dist.destroy_process_group()
