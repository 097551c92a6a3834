"""A look at the first batch does not forbid sharing the evaluation out."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
held_out_data = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out_sampler = range(dist.get_rank(), len(held_out_data), dist.get_world_size())
held_out = DataLoader(held_out_data, batch_size=64, sampler=held_out_sampler)


def accuracy(model, batches):
    correct, total = 0, 0
    for x, y in batches:
        correct += (model(x).argmax(1) == y).sum().item()
        total += y.size(0)
    totals = torch.tensor([correct, total], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, total = int(totals[0]), int(totals[1])
    return correct / total


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy_result = accuracy(model, loader)
    accuracy_result_ = accuracy(model, held_out)
    if dist.get_rank() == 0:
        print(accuracy_result, accuracy_result_)
for x, y in DataLoader(held_out.dataset, batch_size=64):
    break
model_result = model(x)
if dist.get_rank() == 0:
    print(model_result.argmax(1), y)
del ddp_model
dist.destroy_process_group()
