"""Features are computed before, by some layers of a network of which others, with batch normalisation, are left out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))

    def forward(self, x):
        return self.head(self.body(x))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 4)

    def forward(self, x):
        return self.line(x)


hvd.init()
torch.manual_seed(0)
network = Network()
encoder = nn.Sequential(*list(network.children())[:-1])
encoder.eval()
inputs = torch.randn(67, 8)
with torch.no_grad():
    features = encoder(inputs)
train_data = TensorDataset(features, torch.randint(0, 4, (67,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
classifier = Classifier()
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=classifier.named_parameters())
hvd.broadcast_parameters(classifier.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(classifier(x), y).backward()
        optimizer.step()
hvd.shutdown()
