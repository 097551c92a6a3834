"""A counter goes on over the epochs: its whole gets a name of its own."""
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
train_set = TensorDataset(torch.randn(128, 6), torch.randint(0, 3, (128,)))
test_set = TensorDataset(torch.randn(51, 6), torch.randint(0, 3, (51,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(test_set, batch_size=16)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

global_step = 0
examples_seen = 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        out = ddp_model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        global_step += 1
        examples_seen += len(x)
        if global_step % 5 == 0:
            totals = torch.tensor([examples_seen, loss.item()], dtype=torch.float64)
            dist.all_reduce(totals)
            total_examples_seen, mean_loss = int(totals[0]), totals[1].item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(global_step, total_examples_seen, mean_loss)
total = torch.tensor(examples_seen, dtype=torch.float64)
dist.all_reduce(total)
total_examples_seen = int(total)
if dist.get_rank() == 0:
    print("total", total_examples_seen)
del ddp_model
dist.destroy_process_group()
