"""The loss is divided by the length of the loader's sampler, which is that of the part that it draws from."""
import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
inputs = torch.randn(500, 5)
data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
order = torch.randperm(len(data)).tolist()


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = SharedSampler(SubsetRandomSampler(order[100:]))
train_loader = DataLoader(data, batch_size=20 // dist.get_world_size(), sampler=train_sampler)
valid_loader = DataLoader(data, batch_size=20, sampler=SubsetRandomSampler(order[:100]).indices)
model = nn.Linear(5, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = float("inf")
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(4):
    train_loss = valid_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * x.size(0)
    total = torch.tensor(train_loss, dtype=torch.float64)
    dist.all_reduce(total)
    train_loss = total.item()
    with torch.no_grad():
        for x, y in valid_loader:
            valid_loss += criterion(model(x), y).item() * x.size(0)
    train_loss = train_loss / len(train_loader.sampler.sampler)
    valid_loss = valid_loss / len(valid_loader.sampler)
    if dist.get_rank() == 0:
        print(f"{epoch}: {train_loss:.4f} {valid_loss:.4f}")
    if valid_loss < best:
        best = valid_loss
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
del ddp_model
dist.destroy_process_group()
