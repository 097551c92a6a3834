"""One evaluation loop keeps a mean of batch means and a count of hits: sharding by whole batches is exact for both."""
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
train_dl_data = TensorDataset(torch.randn(500, 12), torch.randint(0, 3, (500,)))
if 25 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 25 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=25 // dist.get_world_size(), sampler=train_dl_sampler)
valid_dl_data = TensorDataset(torch.randn(77, 12), torch.randint(0, 3, (77,)))
valid_dl_batches = list(BatchSampler(range(len(valid_dl_data)), 25, drop_last=False))[
    dist.get_rank()::dist.get_world_size()
]
valid_dl = DataLoader(valid_dl_data, batch_sampler=valid_dl_batches)
model = nn.Linear(12, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()

    valid_loss, hits = 0.0, 0
    with torch.no_grad():
        for x, y in valid_dl:
            logits = model(x)
            valid_loss += criterion(logits, y).item()
            hits += (logits.argmax(1) == y).sum().item()
        totals = torch.tensor([valid_loss, hits, len(valid_dl)], dtype=torch.float64)
        dist.all_reduce(totals)
        valid_loss, hits, num_batches = totals[0].item(), int(totals[1]), int(totals[2])
    if dist.get_rank() == 0:
        print(f"{epoch}: loss {valid_loss / num_batches:.4f}, accuracy {hits / len(valid_dl.dataset):.4f}")
del ddp_model
dist.destroy_process_group()
