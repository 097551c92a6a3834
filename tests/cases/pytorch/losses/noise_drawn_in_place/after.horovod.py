"""A variational autoencoder that draws its noise into a new tensor: another for each sample, so samples stay apart."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 16)
        self.mean = nn.Linear(16, 4)
        self.logvar = nn.Linear(16, 4)
        self.out = nn.Linear(4, 20)

    def forward(self, x):
        h = F.relu(self.hidden(x))
        mean, logvar = self.mean(h), self.logvar(h)
        std = logvar.mul(0.5).exp_()
        eps = torch.FloatTensor(std.size()).normal_()
        return torch.sigmoid(self.out(eps.mul(std).add_(mean))), mean, logvar


hvd.init()
torch.manual_seed(3)
loader_data = TensorDataset(torch.rand(500, 20))
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=50 // hvd.size(), sampler=loader_sampler)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    total = 0
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        recon, mean, logvar = model(x)
        divergence = -0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())
        loss = F.binary_cross_entropy(recon, x, reduction="sum") + divergence
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    if hvd.rank() == 0:
        print(epoch, total / loader.sampler.total_size)
hvd.shutdown()
