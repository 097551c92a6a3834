"""A loop that is left in its first round looks at a batch; one that may go on is a pass."""
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
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
for images, labels in DataLoader(train_loader.dataset, batch_size=16, shuffle=True):
    if dist.get_rank() == 0:
        print(images.shape, labels.tolist())
    break
for number, (images, labels) in enumerate(DataLoader(train_loader.dataset, batch_size=16, shuffle=True)):
    if dist.get_rank() == 0:
        print(number, images[15])
    break
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb)
        loss.backward()
        opt.step()
seen = 0
for images, labels in train_loader:
    seen += len(images)
    total = torch.tensor(seen, dtype=torch.float64)
    dist.all_reduce(total)
    total_seen = int(total)
    if total_seen > 40:
        break
total = torch.tensor(seen, dtype=torch.float64)
dist.all_reduce(total)
seen = int(total)
if dist.get_rank() == 0:
    print(seen)
del ddp_model
dist.destroy_process_group()
