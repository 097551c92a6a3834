"""Each round of a loop over names trains."""

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
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for name in ("slow", "fast"):
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(2 if name == "slow" else 1):
        train_loader.sampler.set_epoch(train_loader.sampler.epoch + 1)
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            criterion(ddp_model(inputs), labels).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(name, epoch)
    del ddp_model
dist.destroy_process_group()
