"""Each vector of a sample takes the nearest code of a codebook: no sample meets another one, in whatever shape."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Quantizer(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.codebook = nn.Embedding(size, count)

    def forward(self, z):
        codes = self.codebook.weight
        distances = torch.cdist(z, codes.unsqueeze(0).expand(z.size(0), -1, -1), p=2)
        q = F.embedding(distances.argmin(dim=-1), codes)
        others = codes[((z.unsqueeze(2) - codes) ** 2).sum(-1).argmin(-1)]
        commitment = F.mse_loss(z, q.detach()) + 0.25 * F.mse_loss(others, z.detach())
        return z + (q - z).detach(), commitment


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.quantizer = Quantizer(16, 4)
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        q, commitment = self.quantizer(self.encoder(x))
        return self.decoder(q), commitment


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 5, 8))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        restored, commitment = model(x)
        loss = F.mse_loss(restored, x) + commitment
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
hvd.shutdown()
