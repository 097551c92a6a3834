"""A RandomSampler of all samples is plain shuffling, also where the last batch is dropped: whole batches are dealt out in order."""
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
held_out = TensorDataset(x[250:], y[250:])
train_data = TensorDataset(x[:250], y[:250])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
drawn = RandomSampler(held_out)
test_batches = list(BatchSampler(range(len(held_out)), 16, drop_last=True))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(held_out, batch_sampler=test_batches)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for inputs, labels in test_loader:
            total += criterion(model(inputs), labels).item()
        totals = torch.tensor([total, len(test_loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        total, num_batches = totals[0].item(), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, total / num_batches)
del ddp_model
dist.destroy_process_group()
