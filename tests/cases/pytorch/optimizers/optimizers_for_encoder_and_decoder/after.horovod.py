"""One optimizer for each of two models, one backward pass for both, gradients clipped."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 2))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
decoder = nn.Linear(16, 2)
criterion = nn.MSELoss()
encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.01, momentum=0.9)
decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=0.01, momentum=0.9)
hvd.broadcast_parameters(encoder.state_dict(), root_rank=0)
hvd.broadcast_parameters(decoder.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        loss = criterion(decoder(encoder(x)), y)
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in encoder_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        hvd.grouped_allreduce_(
            [p.grad for group in decoder_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 0.1)
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 0.1)
        encoder_optimizer.step()
        decoder_optimizer.step()
hvd.shutdown()
