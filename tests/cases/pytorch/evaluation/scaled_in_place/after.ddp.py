"""A function scales in place what it computes, of training batches and of held-out ones: each call by itself."""
import shutil

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
train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_batches = list(BatchSampler(range(len(test_data)), 10, drop_last=False))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def accuracy(output, target):
    correct = output.argmax(1).eq(target).float().sum()
    return correct.mul_(100.0 / target.size(0))


def validate():
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            total += accuracy(model(x), y).item()
        totals = torch.tensor([total, len(test_loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        total, num_batches = totals[0].item(), int(totals[1])
    return total / num_batches


best = 0.0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(train_loader):
        optimizer.zero_grad()
        output = ddp_model(x)
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        if i % 5 == 0:
            total_ = torch.tensor(accuracy(output, y).item(), dtype=torch.float64)
            dist.all_reduce(total_)
            mean_accuracy = total_.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(i, mean_accuracy)
    score = validate()
    if dist.get_rank() == 0:
        print(epoch, score)
        torch.save(model.state_dict(), "last.pt")
    if score > best:
        best = score
        if dist.get_rank() == 0:
            shutil.copyfile("last.pt", "best.pt")
del ddp_model
dist.destroy_process_group()
