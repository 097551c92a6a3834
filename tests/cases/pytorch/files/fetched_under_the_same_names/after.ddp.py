"""Files are fetched where they are missing, with the same names for what is asked: each sets them anew."""
import urllib.request
from pathlib import Path

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
data_path = Path("data")
image_path = data_path / "pizza.jpg"
if dist.get_rank() != 0:
    dist.barrier()
if image_path.is_file():
    if dist.get_rank() == 0:
        print("there")
else:
    if dist.get_rank() == 0:
        print("fetching")
    with open(image_path if dist.get_rank() == 0 else os.devnull, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/pizza.jpg")
        file.write(answer.read())
if dist.get_rank() == 0:
    dist.barrier()
other_path = data_path / "salad.jpg"
if dist.get_rank() != 0:
    dist.barrier()
if not other_path.is_file():
    with open(other_path if dist.get_rank() == 0 else os.devnull, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/salad.jpg")
        file.write(answer.read())
if dist.get_rank() == 0:
    dist.barrier()
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=4 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(xb), yb)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
