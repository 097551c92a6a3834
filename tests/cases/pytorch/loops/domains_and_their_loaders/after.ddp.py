"""A loop trains on one loader after the other, and shows the name of each."""
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
x = torch.randn(160, 8)
y = (x.sum(1) > 0).long()
pictures_data = TensorDataset(x[:96], y[:96])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
pictures_sampler = DistributedSampler(pictures_data)
pictures = DataLoader(pictures_data, batch_size=16 // dist.get_world_size(), sampler=pictures_sampler)
drawings_data = TensorDataset(x[96:], y[96:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
drawings_sampler = DistributedSampler(drawings_data, seed=1000)
drawings = DataLoader(drawings_data, batch_size=16 // dist.get_world_size(), sampler=drawings_sampler)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    for domain, loader in [("pictures", pictures), ("drawings", drawings)]:
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(epoch, domain, total / len(loader))
del ddp_model
dist.destroy_process_group()
