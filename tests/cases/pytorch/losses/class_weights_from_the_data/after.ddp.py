"""Weights of classes come from all labels, and another number from a pass that is reduced."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
data = TensorDataset(x, y)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=12 // dist.get_world_size(), sampler=DistributedSampler(data))
counts = torch.bincount(y, minlength=3)
smooth = torch.bincount(torch.tensor([label for _, label in data])).max() / len(data)
total = 0.0
for points, _ in loader:
    total += points.pow(2).sum().item()
total_ = torch.tensor(total, dtype=torch.float64)
dist.all_reduce(total_)
total = total_.item()
net = nn.Sequential(nn.Dropout(min(0.5, total / 1e4)), nn.Linear(5, 3))
criterion = nn.CrossEntropyLoss(weight=counts.sum() / counts, label_smoothing=0.1 * float(smooth))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for points, classes in loader:
        optimizer.zero_grad()
        weights = criterion.weight[classes].sum()
        dist.all_reduce(weights)
        weights = weights / dist.get_world_size()
        loss = F.cross_entropy(
            ddp_net(points),
            classes,
            label_smoothing=criterion.label_smoothing,
            weight=criterion.weight,
            reduction="sum",
        ) / weights
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
