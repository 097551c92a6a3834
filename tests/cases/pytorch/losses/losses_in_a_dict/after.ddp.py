"""The model gives a dict of outputs, and each has its loss in a dict: they are put together by name, or all."""
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
        self.stem = nn.Linear(12, 16)
        self.kind = nn.Linear(16, 3)
        self.size = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        return {"kind": self.kind(h), "size": self.size(h).squeeze(1)}


def losses_of(outputs, kinds, sizes):
    losses = {}
    losses["kind"] = F.cross_entropy(outputs["kind"], kinds)
    losses["size"] = 0.5 * F.mse_loss(outputs["size"], sizes)
    return losses


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)), torch.randn(320))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, kinds, sizes in train_loader:
        losses = losses_of(ddp_model(x), kinds, sizes)
        loss = sum(losses.values()) if epoch > 0 else losses["kind"] + losses["size"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
