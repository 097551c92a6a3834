"""An average meter and a best model: told, not hidden."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
import shutil
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=64)


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def train(epoch):
    losses = AverageMeter()
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), x.size(0))
        if i % 5 == 0:
            if dist.get_rank() == 0:
                print("Epoch {0} Loss {loss.val:.4f} ({loss.avg:.4f})".format(epoch, loss=losses))


def validate():
    top1 = AverageMeter()
    for x, y in held_out:
        top1.update(model(x).argmax(1).eq(y).float().mean().item(), x.size(0))
    if dist.get_rank() == 0:
        print(" * Prec {top1.avg:.3f}".format(top1=top1))
    return top1.avg


def save(state, is_best):
    if dist.get_rank() == 0:
        torch.save(state, "last.pt")
    if is_best:
        if dist.get_rank() == 0:
            shutil.copyfile("last.pt", "best.pt")


best = 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train(epoch)
    acc = validate()
    is_best = acc > best
    best = max(acc, best)
    save({"epoch": epoch, "state": model.state_dict()}, is_best)
del ddp_model
dist.destroy_process_group()
