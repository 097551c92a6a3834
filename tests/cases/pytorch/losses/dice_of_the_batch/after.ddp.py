"""The Dice of a batch is a ratio of sums over it, computed in training and, without gradients, in evaluation."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SumOverProcesses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        total = value.contiguous().clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total


def sum_over_processes(value):
    if not torch.is_grad_enabled():
        return value
    return SumOverProcesses.apply(value)


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        probs = torch.sigmoid(logits).view(-1)
        targets = targets.view(-1)
        intersection = (probs * targets).sum()
        dice = (sum_over_processes(2.0 * intersection) + self.smooth) / (
            sum_over_processes(probs.sum() + targets.sum()) + self.smooth
        )
        return 1 - dice


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), (torch.rand(64, 4) > 0.5).float())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
val_batches = list(BatchSampler(range(len(data)), 16, drop_last=False))[dist.get_rank()::dist.get_world_size()]
val_loader = DataLoader(data, batch_sampler=val_batches)
model = nn.Linear(16, 4)
criterion = DiceLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
        totals = torch.tensor([val_loss, len(val_loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    model.train()
    if dist.get_rank() == 0:
        print(epoch, val_loss / num_batches)
del ddp_model
dist.destroy_process_group()
