"""The phase without training computes gradients as well, which DDP would wait for: nothing is wrapped."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
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
    name: DistributedSampler(data[name])
    if name == "train"
    else range(dist.get_rank(), len(data[name]), dist.get_world_size())
    for name in ("train", "val")
}
loaders = {
    name: DataLoader(data[name], batch_size=32 // dist.get_world_size(), sampler=samplers[name])
    for name in ("train", "val")
}
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    for phase in ("train", "val"):
        hits = 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for inputs, labels in loaders[phase]:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
                    if parameter.grad is not None:
                        dist.all_reduce(parameter.grad)
                        parameter.grad /= dist.get_world_size()
                optimizer.step()
            hits += (outputs.argmax(1) == labels).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
        if dist.get_rank() == 0:
            print(phase, hits / len(data[phase]))
dist.destroy_process_group()
