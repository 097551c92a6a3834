"""One output a sample, flattened by a layer: entries stay those of their samples, so the loss is a mean over them."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)

points, labels = make_moons(n_samples=400, noise=0.1, random_state=0)
dataset = TensorDataset(torch.tensor(points, dtype=torch.float32), torch.tensor(labels, dtype=torch.float32))
n_val = 99
train_set, val_set = random_split(dataset, [len(dataset) - n_val, n_val])

if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=30 // dist.get_world_size(), sampler=train_sampler)
val_sampler = range(dist.get_rank(), len(val_set), dist.get_world_size())
val_loader = DataLoader(val_set, batch_size=30, sampler=val_sampler)

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()

    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += ((model(x) > 0).float() == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    if dist.get_rank() == 0:
        print(f'{epoch}: {correct} of {n_val} right')
del ddp_model
dist.destroy_process_group()
