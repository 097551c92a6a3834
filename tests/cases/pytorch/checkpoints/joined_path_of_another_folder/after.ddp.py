"""Labels are read in a folder where there is one; the weights are written to another one."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def show(model, folder):
    path = os.path.join(folder, "labels.txt")
    if not os.path.exists(folder):
        if dist.get_rank() == 0:
            print(f"there is no folder {folder}")
        return
    if not os.path.exists(path):
        if dist.get_rank() == 0:
            print(f"there are no labels in {folder}")
        return
    with open(path) as file:
        labels = file.read().split()
    with torch.no_grad():
        model_result = model(torch.ones(2, 4))
        if dist.get_rank() == 0:
            print(labels, model_result.argmax(dim=1))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
loader_data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), os.path.join("results", "weights-0.pth"))
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(1, 3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    show(model, "./images")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), os.path.join("results", f"weights-{epoch}.pth"))
del ddp_model
dist.destroy_process_group()
