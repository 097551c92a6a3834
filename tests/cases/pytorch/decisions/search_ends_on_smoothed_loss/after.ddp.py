"""A search for a learning rate leaves its loop where the smoothed loss has grown, and starts again from saved weights."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()


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


loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(loader_data))
)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "first.pt")
scheduler = ExponentialLR(optimizer, 1.6)
rates, losses = [], []
best = float("inf")
batches = iter(loader)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(40):
    try:
        inputs, labels = next(batches)
    except StopIteration:
        batches = iter(loader)
        inputs, labels = next(batches)
    optimizer.zero_grad()
    loss = criterion(ddp_model(inputs), labels)
    loss.backward()
    optimizer.step()
    value = loss.item()
    rates.append(scheduler.get_last_lr()[0])
    scheduler.step()
    if step > 0:
        value = 0.05 * value + 0.95 * losses[-1]
    totals = torch.tensor([value, best], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_value, mean_best = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if mean_value < mean_best:
        best = value
    losses.append(value)
    totals = torch.tensor([value, 4 * best], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_value, mean_best = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if mean_value > mean_best:
        if dist.get_rank() == 0:
            print("stopped")
        break
dist.barrier()
model.load_state_dict(torch.load("first.pt"))
if dist.get_rank() == 0:
    print(rates[-1])
del ddp_model
dist.destroy_process_group()
