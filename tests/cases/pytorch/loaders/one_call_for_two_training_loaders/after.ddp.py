"""One call makes two loaders for training, of which one is shuffled, and one to evaluate."""
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


def make(data, train, mixed):
    if train:
        if 16 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(data, shuffle=mixed, drop_last=train)
    else:
        sampler = range(dist.get_rank(), len(data), dist.get_world_size())
    return DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=sampler, drop_last=train)


one = make(TensorDataset(x[:160], y[:160]), True, True)
two = make(TensorDataset(x[160:320], y[160:320]), True, False)
test = make(TensorDataset(x[320:], y[320:]), False, True)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(2 + dist.get_rank())
for epoch in range(3):
    loader = one if epoch < 2 else two
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in test:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(epoch, hits / len(test.dataset))
del ddp_model
dist.destroy_process_group()
