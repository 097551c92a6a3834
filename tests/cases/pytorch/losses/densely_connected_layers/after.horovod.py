"""Layers that are given the features of all before them, under names that are put together."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.checkpoint import checkpoint
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 3, 8, 8), torch.randint(0, 10, (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)


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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
