"""The model computes its loss where it is given targets, and gives it in a dict."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x, targets=None):
        logits = self.layers(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits, targets)
        return {"loss": loss, "logits": logits}


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        outputs = ddp_model(x, y)
        optimizer.zero_grad()
        outputs["loss"].backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
