"""Loaders of one dict, two of them dealt out by whole batches: each has its own batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split
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
full = TensorDataset(torch.randn(600, 8), torch.randint(0, 4, (600,)))
train, val, test = random_split(full, [440, 100, 60])
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
val_batches = list(BatchSampler(range(len(val)), 32, drop_last=False))[dist.get_rank()::dist.get_world_size()]
test_batches = list(BatchSampler(range(len(test)), 32, drop_last=False))[dist.get_rank()::dist.get_world_size()]
train_sampler = DistributedSampler(train)
loaders = {
    "train": DataLoader(train, 40 // dist.get_world_size(), sampler=train_sampler),
    "val": DataLoader(val, batch_sampler=val_batches),
    "test": DataLoader(test, batch_sampler=test_batches),
}


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = 0.0
    for x, y in loader:
        loss += F.cross_entropy(model(x), y).item()
    totals = torch.tensor([loss, len(loader)], dtype=torch.float64)
    dist.all_reduce(totals)
    loss, num_batches = totals[0].item(), int(totals[1])
    return loss / num_batches


model = nn.Linear(8, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
train_loader = loaders["train"]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    evaluate_result = evaluate(model, loaders["val"])
    if dist.get_rank() == 0:
        print(epoch, evaluate_result)
evaluate_result = evaluate(model, loaders["test"])
if dist.get_rank() == 0:
    print(evaluate_result)
del ddp_model
dist.destroy_process_group()
