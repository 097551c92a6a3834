"""Each centre is drawn to the nearest sample of the batch: behind the centres, samples are the second dimension."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        return hvd.allgather(values.contiguous()).unflatten(0, (hvd.size(), -1)).transpose(0, 1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return hvd.allreduce(gradient.contiguous(), op=hvd.Sum)[hvd.rank() :: hvd.size()]


def gather_batch(values):
    return GatherBatch.apply(values)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.codebook = nn.Parameter(torch.randn(16, 4))
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        z = self.encoder(x)
        far = (self.codebook.unsqueeze(1) - gather_batch(z)).pow(2).sum(-1).min(dim=1).values.mean()
        return self.decoder(z), far


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        recon, far = model(x)
        loss = F.mse_loss(recon, x) + far
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
