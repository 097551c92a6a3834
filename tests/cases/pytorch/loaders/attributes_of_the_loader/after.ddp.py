"""What is read of the training loader means what it meant: the global batch size, and the samples of all processes."""
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
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


class Trainer:
    def __init__(self, train_loader):
        self.train_loader = train_loader
        self.warmup = 160 // (self.train_loader.batch_size * dist.get_world_size())

    def rate(self, step):
        return min(1.0, (step + 1) / self.warmup)


def steps_per_epoch(batches):
    return len(batches.dataset) // (batches.batch_size * dist.get_world_size())


trainer = Trainer(loader)
if dist.get_rank() == 0:
    print(
        "batch",
        loader.batch_size * dist.get_world_size(),
        f"of {len(loader.dataset)}",
        "drop",
        loader.drop_last,
        loader.num_workers,
    )
    print("steps", steps_per_epoch(loader), -(loader.batch_size * dist.get_world_size()), (loader.batch_size * dist.get_world_size()) ** 2, loader.batch_size * dist.get_world_size() + 1)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, trainer.rate)
decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader.batch_sampler) * 2)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    seen = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        seen += loader.batch_size * dist.get_world_size()
        for group in optimizer.param_groups:
            group["weight_decay"] = 0.01 * loader.batch_size * dist.get_world_size() / len(loader.dataset)
    if dist.get_rank() == 0:
        print(epoch, seen, schedule.get_last_lr()[0])
del ddp_model
dist.destroy_process_group()
