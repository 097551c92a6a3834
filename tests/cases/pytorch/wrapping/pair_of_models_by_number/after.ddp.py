"""Models that are given in one tuple and called by their places are wrapped each by itself."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
inputs = torch.randn(200, 8)
loader_data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
encoder = nn.Linear(8, 4)
decoder = nn.Linear(4, 2)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)


def train(models, loader, optimizer):
    models[0].train()
    second = models[1]
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(second(models[0](batch)), labels)
        loss.backward()
        optimizer.step()


ddp_encoder = DistributedDataParallel(encoder)
ddp_decoder = DistributedDataParallel(decoder)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    train((ddp_encoder, ddp_decoder), loader, optimizer)
    if dist.get_rank() == 0:
        print(epoch)
if dist.get_rank() == 0:
    torch.save(encoder.state_dict(), "encoder.pt")
del ddp_encoder, ddp_decoder
dist.destroy_process_group()
