"""Noise is added to each batch in the step (denoising autoencoder): it must differ between ranks, although the seed is set."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(7)
loader_data = TensorDataset(torch.rand(640, 20))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(20, 5), nn.ReLU(), nn.Linear(5, 20))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(7 + hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for (clean,) in loader:
        noisy = clean + 0.1 * torch.randn_like(clean)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(noisy), clean).backward()
        optimizer.step()
hvd.shutdown()
