"""Averages of batch averages over the phases of an epoch: the data that are not trained on are evaluated in full."""

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
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
samplers = {
    name: DistributedSampler(data[name]) if name == "train" else None for name in ("train", "val")
}
loaders = {
    name: DataLoader(
        data[name], batch_size=32 // dist.get_world_size() if name == "train" else 32, sampler=samplers[name]
    )
    for name in ("train", "val")
}
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    for phase in ("train", "val"):
        model.train(phase == "train")
        running, hits = 0.0, 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for inputs, labels in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
                loss = criterion(outputs, labels)
            if phase == "train":
                loss.backward()
                optimizer.step()
            running += loss.item()
            hits += (outputs.argmax(1) == labels).sum().item()
        if phase == "train":
            totals = torch.tensor([running, hits], dtype=torch.float64)
            dist.all_reduce(totals)
            running, hits = totals[0].item() / dist.get_world_size(), int(totals[1])
        if dist.get_rank() == 0:
            print(phase, running / len(loaders[phase]), hits / len(data[phase]))
del ddp_model
dist.destroy_process_group()
