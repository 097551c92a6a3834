"""Two modules with one optimizer over a list of their parameters: both are wrapped (ddp) or named (horovod)."""
import torch
import torch.nn as nn
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
loader_data = TensorDataset(torch.randn(256, 30), torch.randint(0, 6, (256,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(30, 12), nn.ReLU())
decoder = nn.Linear(12, 6)
params = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.Adam(params, lr=0.001)
criterion = nn.CrossEntropyLoss()

ddp_encoder = DistributedDataParallel(encoder)
ddp_decoder = DistributedDataParallel(decoder)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for i, (images, captions) in enumerate(loader):
        features = ddp_encoder(images)
        outputs = ddp_decoder(features)
        loss = criterion(outputs, captions)
        encoder.zero_grad()
        decoder.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(encoder.state_dict(), 'encoder.ckpt')
    torch.save(decoder.state_dict(), 'decoder.ckpt')
del ddp_encoder, ddp_decoder
dist.destroy_process_group()
