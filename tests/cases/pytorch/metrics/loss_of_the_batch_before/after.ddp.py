"""The loss of the batch before is shown, which is none at the first batch; after the pass there is one."""
import torch
from torch import nn
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
x, y = torch.randn(256, 8), torch.randint(0, 3, (256,))
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    last = None
    train_loader.sampler.set_epoch(epoch)
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            total = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = total.item() / dist.get_world_size()
            mean_last = last
            if mean_last is not None:
                total = torch.tensor(last, dtype=torch.float64)
                dist.all_reduce(total)
                mean_last = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(epoch, i, mean_last, mean_loss)
        last = loss.item()
    total = torch.tensor(last, dtype=torch.float64)
    dist.all_reduce(total)
    mean_last = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_last)
del ddp_model
dist.destroy_process_group()
