"""One optimizer for each of two models, one backward pass for both, gradients clipped."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 2))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
decoder = nn.Linear(16, 2)
criterion = nn.MSELoss()
encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.01, momentum=0.9)
decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=0.01, momentum=0.9)
for tensor in [*encoder.parameters(), *encoder.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*decoder.parameters(), *decoder.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        loss = criterion(decoder(encoder(x)), y)
        loss.backward()
        for parameter in [p for group in encoder_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        for parameter in [p for group in decoder_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 0.1)
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 0.1)
        encoder_optimizer.step()
        decoder_optimizer.step()
dist.destroy_process_group()
