"""A list of loaders is reversed before they are taken out of it: either may be the one that is trained on."""
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
torch.manual_seed(3)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
test_set = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))

if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loaders_sampler = DistributedSampler(test_set, shuffle=False)
loaders_sampler_ = DistributedSampler(train_set)
loaders = [
    DataLoader(test_set, batch_size=16 // dist.get_world_size(), sampler=loaders_sampler),
    DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=loaders_sampler_),
]
loaders.reverse()
train_loader, test_loader = loaders

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, correct / len(test_set))
del ddp_model
dist.destroy_process_group()
