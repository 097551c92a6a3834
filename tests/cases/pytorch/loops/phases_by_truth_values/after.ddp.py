"""The phases of an epoch are told by a truth value."""

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
train_data = TensorDataset(x[:320], y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(x[320:], y[320:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    for phase in (True, False):
        model.train(phase)
        running, hits = 0.0, 0
        if phase:
            train_loader.sampler.set_epoch(epoch)
        for inputs, labels in train_loader if phase else test_loader:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase):
                outputs = (ddp_model if torch.is_grad_enabled() else model)(inputs)
                loss = criterion(outputs, labels)
            if phase:
                loss.backward()
                optimizer.step()
            running += loss.item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
        totals = torch.tensor([running, hits], dtype=torch.float64)
        dist.all_reduce(totals)
        running, hits = totals[0].item(), int(totals[1])
        if dist.get_rank() == 0:
            print(phase, running / (320 if phase else 80), hits / (320 if phase else 80))
del ddp_model
dist.destroy_process_group()
