"""A history of zeros, one for each epoch, to which sums and means are added: each is reduced where it is shown."""

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
inputs = torch.randn(200, 8)
loader_data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
epochs = 2
losses = [0.0] * epochs
hits = epochs * [0]

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(epochs):
    loader.sampler.set_epoch(epoch)
    for batch, labels in loader:
        output = ddp_model(batch)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[epoch] += loss.item() * len(labels)
        hits[epoch] += (output.argmax(1) == labels).sum().item()
    losses[epoch] /= loader.sampler.total_size
    totals = torch.tensor([losses[epoch], hits[epoch] / loader.sampler.total_size], dtype=torch.float64)
    dist.all_reduce(totals)
    total_losses, total_hits = totals.tolist()
    if dist.get_rank() == 0:
        print(f"{total_losses:.4f}", total_hits)
total_losses = torch.tensor(losses, dtype=torch.float64)
dist.all_reduce(total_losses)
total_losses = total_losses.tolist()
if dist.get_rank() == 0:
    print(total_losses)
del ddp_model
dist.destroy_process_group()
