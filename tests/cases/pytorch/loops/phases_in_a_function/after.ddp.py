"""Each phase of an epoch is a call of a function that is given its name."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
loaders = {}
for name in ["train", "val"]:
    if name == "train":
        if 32 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(data[name])
    else:
        sampler = range(dist.get_rank(), len(data[name]), dist.get_world_size())
    loaders[name] = DataLoader(data[name], batch_size=32 // dist.get_world_size(), sampler=sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(phase):
    model.train(phase == "train")
    running = 0.0
    for inputs, labels in loaders[phase]:
        with torch.set_grad_enabled(phase == "train"):
            loss = criterion((ddp_model if torch.is_grad_enabled() else model)(inputs), labels)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        running += loss.item() * len(labels)
    total = torch.tensor(running, dtype=torch.float64)
    dist.all_reduce(total)
    running = total.item()
    return running


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    for phase in ["train", "val"]:
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        run_result = run(phase)
        if dist.get_rank() == 0:
            print(epoch, phase, run_result / len(data[phase]))
del ddp_model
dist.destroy_process_group()
