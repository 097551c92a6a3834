"""running_loss += loss.item(), divided by len(loader) at the epoch's end: a mean of batch means, reduced before it is printed."""
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
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(640, 16), torch.randint(0, 3, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(16, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    running_loss = 0.0
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    total = torch.tensor(running_loss, dtype=torch.float64)
    dist.all_reduce(total)
    running_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f'Epoch {epoch + 1}, loss {running_loss / len(train_loader):.4f}')
del ddp_model
dist.destroy_process_group()
