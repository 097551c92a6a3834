"""A batch that is looked at by its places is the whole batch, as in the sequential run."""
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
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
batch_size = 16
loader_data = TensorDataset(x, y)
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler)
images, labels = next(iter(DataLoader(loader.dataset, batch_size=batch_size, shuffle=True)))
if dist.get_rank() == 0:
    print(images.shape, labels[0], images[0].shape, images[0][2], images[-1, 3])
for i in range(6):
    if dist.get_rank() == 0:
        print(i, labels[i], images[i][3])
for i, (image, label) in enumerate(zip(images, labels)):
    if dist.get_rank() == 0:
        print(labels[i] == label)
if dist.get_rank() == 0:
    print(" ".join(str(labels[j]) for j in range(4)))
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb)
        loss.backward()
        opt.step()
del ddp_model
dist.destroy_process_group()
