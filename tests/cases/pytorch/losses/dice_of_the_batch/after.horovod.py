"""The Dice of a batch is a ratio of sums over it, computed in training and, without gradients, in evaluation."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler


def sum_over_processes(value):
    if not torch.is_grad_enabled():
        return value
    return hvd.allreduce(value, op=hvd.Sum)


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


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), (torch.rand(64, 4) > 0.5).float())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
val_batches = list(BatchSampler(range(len(data)), 16, drop_last=False))[hvd.rank()::hvd.size()]
val_loader = DataLoader(data, batch_sampler=val_batches)
model = nn.Linear(16, 4)
criterion = DiceLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
        totals = hvd.allreduce(torch.tensor([val_loss, len(val_loader)], dtype=torch.float64), op=hvd.Sum)
        val_loss, num_batches = totals[0].item(), int(totals[1])
    model.train()
    if hvd.rank() == 0:
        print(epoch, val_loss / num_batches)
hvd.shutdown()
