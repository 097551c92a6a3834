"""Layers that are given the features of all before them, under names that are put together."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.checkpoint import checkpoint
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 3, 8, 8), torch.randint(0, 10, (640,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))


def joining(layer):
    def joined(*features):
        return layer(torch.cat(features, 1))
    return joined


class Dense(nn.Module):
    def __init__(self, width, grown):
        super().__init__()
        self.add_module("layer", nn.Conv2d(width, grown, 3, padding=1))
        self.register_parameter("least", nn.Parameter(torch.zeros(1, grown, 1, 1)))

    def forward(self, *features):
        joined = joining(self.layer)
        if any(each.requires_grad for each in features):
            new = checkpoint(joined, *features, use_reentrant=False)
        else:
            new = joined(*features)
        return torch.max(new, self.least)


class Block(nn.Module):
    def __init__(self, layers, width, grown):
        super().__init__()
        for i in range(layers):
            self.add_module("dense%d" % (i + 1), Dense(width + i * grown, grown))

    def forward(self, x):
        features = [x]
        for name, layer in self.named_children():
            features.append(layer(*features))
        return torch.cat(features, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 1))
        for i in range(2):
            self.features.add_module("block%d" % i, Block(3, 8 + 12 * i, 4))
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
