"""A text is made of a loss that is reduced there, and shown without its line break, within another text, and as it is."""

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
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = open("log.txt" if dist.get_rank() == 0 else os.devnull, "w")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = torch.tensor(sum(losses) / len(losses), dtype=torch.float64)
    dist.all_reduce(total)
    mean_losses = total.item() / dist.get_world_size()
    line = f"epoch {epoch}: {mean_losses:.4f}\n"
    log.write(line)
    if dist.get_rank() == 0:
        print(line.strip())
    total = torch.tensor(losses[-1], dtype=torch.float64)
    dist.all_reduce(total)
    mean_losses = total.item() / dist.get_world_size()
    last = "last loss %.4f" % mean_losses
    if dist.get_rank() == 0:
        print("[" + last + "]", flush=True)
log.close()
del ddp_model
dist.destroy_process_group()
