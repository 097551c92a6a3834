"""batch_size also appears in a report of samples seen: the loader gets its share, the report stays global."""
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
batch_size = 50
num_epochs = 3
dataset = TensorDataset(torch.randn(2000, 12), torch.randint(0, 5, (2000,)))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(dataset)
train_loader = DataLoader(dataset, batch_size=batch_size // dist.get_world_size(), sampler=train_sampler)
steps_per_epoch = len(dataset) // batch_size

model = nn.Sequential(nn.Linear(12, 30), nn.ReLU(), nn.Linear(30, 5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(num_epochs):
    train_loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(train_loader):
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 10 == 0:
            if dist.get_rank() == 0:
                print("epoch %d step %d/%d, %d samples seen" % (epoch + 1, i + 1, steps_per_epoch, (i + 1) * batch_size))
del ddp_model
dist.destroy_process_group()
