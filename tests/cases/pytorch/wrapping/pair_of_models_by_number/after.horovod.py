"""Models that are given in one tuple and called by their places are wrapped each by itself."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
inputs = torch.randn(200, 8)
loader_data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
encoder = nn.Linear(8, 4)
decoder = nn.Linear(4, 2)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)


def train(models, loader, optimizer):
    models[0].train()
    second = models[1]
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(second(models[0](batch)), labels)
        loss.backward()
        optimizer.step()


hvd.broadcast_parameters(encoder.state_dict(), root_rank=0)
hvd.broadcast_parameters(decoder.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    train((encoder, decoder), loader, optimizer)
    if hvd.rank() == 0:
        print(epoch)
if hvd.rank() == 0:
    torch.save(encoder.state_dict(), "encoder.pt")
hvd.shutdown()
