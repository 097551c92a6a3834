"""Lines are written through the bars of notebooks: once, with the mean of all processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.notebook import tqdm, trange
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
features = torch.randn(64, 4)
loader_data = TensorDataset(features, (features[:, 0] > 0).long())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in trange(2, disable=dist.get_rank() != 0):
    losses = []
    loader.sampler.set_epoch(epoch)
    for inputs, labels in tqdm(loader, disable=dist.get_rank() != 0):
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = torch.tensor(sum(losses) / len(losses), dtype=torch.float64)
    dist.all_reduce(total)
    mean_losses = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        tqdm.write("epoch {} loss {:.4f}".format(epoch, mean_losses))
del ddp_model
dist.destroy_process_group()
