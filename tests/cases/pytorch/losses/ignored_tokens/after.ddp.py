"""ignore_index makes the divisor the number of tokens counted, which differs between the ranks' batches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
PAD = 0
torch.manual_seed(0)
tokens = torch.randint(1, 30, (400, 12))
for row in tokens:
    row[torch.randint(3, 12, (1,)).item():] = PAD
loader_data = TensorDataset(tokens)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(30, 16, padding_idx=PAD), nn.Linear(16, 30))
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (seq,) in loader:
        logits = ddp_model(seq[:, :-1])
        counted = (seq[:, 1:].reshape(-1) != criterion.ignore_index).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        loss = F.cross_entropy(
            logits.reshape(-1, 30), seq[:, 1:].reshape(-1), ignore_index=criterion.ignore_index, reduction="sum"
        ) / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
