"""Where the last batch is dropped nothing fills it up: the length of the data set stays the divisor."""
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
torch.manual_seed(0)
x = torch.randn(41, 4); y = (x.sum(1) > 0).long()
train_set, test_set = TensorDataset(x[:33], y[:33]), TensorDataset(x[33:], y[33:])
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set, drop_last=True)
train_loader = DataLoader(train_set, batch_size=8 // dist.get_world_size(), sampler=train_sampler, drop_last=True)
dropping_sampler = range(dist.get_rank(), len(test_set), dist.get_world_size())
dropping = DataLoader(test_set, batch_size=4, sampler=dropping_sampler)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()

def train(loader):
    total, right, batches = 0.0, 0, 0.0
    for i, (a, b) in enumerate(loader):
        opt.zero_grad()
        p = ddp_model(a)
        loss = crit(p, b)
        loss.backward()
        opt.step()
        total += loss.item() * a.size(0)
        right += (p.argmax(1) == b).sum().item()
        batches += loss.item()
        if i == 2:
            totals = torch.tensor([right / len(loader.dataset), total / ((i + 1) * len(b))], dtype=torch.float64)
            dist.all_reduce(totals)
            total_right, mean_total = totals[0].item(), totals[1].item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print("part", total_right, mean_total)
    totals = torch.tensor([total, right, batches], dtype=torch.float64)
    dist.all_reduce(totals)
    total, right, batches = totals[0].item(), int(totals[1]), totals[2].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print("mean", batches / len(loader), batches / len(train_set))
    return total / len(loader.dataset), 100.0 * right / len(loader.dataset)

def test(loader):
    right = 0
    for a, b in loader:
        right += (model(a).argmax(1) == b).sum().item()
    total_ = torch.tensor(right, dtype=torch.float64)
    dist.all_reduce(total_)
    right = int(total_)
    return right / len(loader.dataset), right / len(test_set), right / len(train_set)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    train_result = train(train_loader)
    if dist.get_rank() == 0:
        print(train_result)
    test_result = test(dropping)
    if dist.get_rank() == 0:
        print(test_result)
del ddp_model
dist.destroy_process_group()
