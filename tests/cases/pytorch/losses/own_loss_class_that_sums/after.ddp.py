"""A focal loss of the script's own, whose reduction the script asks for: a sum."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, size_average=True):
        super().__init__()
        self.gamma = gamma
        self.size_average = size_average

    def forward(self, logits, target):
        logpt = F.log_softmax(logits, dim=1).gather(1, target.view(-1, 1)).view(-1)
        loss = -1 * (1 - logpt.exp()) ** self.gamma * logpt
        if self.size_average:
            return loss.mean()
        else:
            return loss.sum()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 5, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 5)
criterion = FocalLoss(gamma=1.5, size_average=False)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        (criterion(ddp_model(x), y) * dist.get_world_size()).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
