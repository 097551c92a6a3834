"""A loss that derives from one of PyTorch, which it sets to give a number for each token, and weighs these: a mean."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class MaskedLoss(nn.CrossEntropyLoss):
    def forward(self, output, target, padding):
        weights = torch.ones_like(target).float()
        weights[target == padding] = 0
        self.reduction = "none"
        unweighted = super(MaskedLoss, self).forward(output.transpose(1, 2), target)
        return (unweighted * weights).mean(dim=1).mean()


hvd.init()
torch.manual_seed(0)
texts = torch.randint(0, 20, (160, 9))
loader_data = TensorDataset(texts[:, :-1], texts[:, 1:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
criterion = MaskedLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y, 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
