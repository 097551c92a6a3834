"""What is trained is a layer on the features of a network with batch normalisation that is in evaluation mode: nothing
is said of its statistics, and no last batch stops the program."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        blocks = [nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU()) for _ in range(3)]
        self.blocks = nn.ModuleList(blocks)
        self.short = nn.Sequential()
        if len(blocks) > 2:
            self.short = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))

    def forward(self, x, depth=3):
        left = self.short(x)
        for block in self.blocks[:depth]:
            x = block(x)
        return x + left


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(67, 8), torch.randint(0, 4, (67,)))
test_set = TensorDataset(torch.randn(30, 8), torch.randint(0, 4, (30,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_set, batch_size=16 // hvd.size(), sampler=train_sampler)
test_sampler = range(hvd.rank(), len(test_set), hvd.size())
test_loader = DataLoader(test_set, batch_size=16, sampler=test_sampler)
encoder = Encoder()
encoder.load_state_dict(torch.load("encoder.pt"))
encoder.eval()
head = nn.Linear(8, 4)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=head.named_parameters())
hvd.broadcast_parameters(head.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        with torch.no_grad():
            features = encoder(x)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(features), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (head(encoder(x)).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(hits / len(test_set))
hvd.shutdown()
