"""How well masks overlap is a ratio of sums over a batch, averaged over the batches."""
import torch
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
images = torch.randn(64, 1, 8, 8)
loader_data = TensorDataset(images, (images > 0).float())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def overlap(logits, masks):
    chosen = (logits > 0).float()
    both = (chosen * masks).sum()
    return ((both + 1e-6) / (chosen.sum() + masks.sum() - both + 1e-6)).item()


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, masks in loader:
        logits = ddp_model(inputs)
        loss = criterion(logits, masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += overlap(logits, masks)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {total / len(loader):.3f}")
del ddp_model
dist.destroy_process_group()
