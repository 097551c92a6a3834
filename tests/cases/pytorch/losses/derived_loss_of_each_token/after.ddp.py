"""A loss that derives from one of PyTorch, which it sets to give a number for each token, and weighs these: a mean."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class MaskedLoss(nn.CrossEntropyLoss):
    def forward(self, output, target, padding):
        weights = torch.ones_like(target).float()
        weights[target == padding] = 0
        self.reduction = "none"
        unweighted = super(MaskedLoss, self).forward(output.transpose(1, 2), target)
        return (unweighted * weights).mean(dim=1).mean()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
texts = torch.randint(0, 20, (160, 9))
loader_data = TensorDataset(texts[:, :-1], texts[:, 1:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
criterion = MaskedLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y, 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
