"""What is read of the training loader means what it meant: the global batch size, and the samples of all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()


class Trainer:
    def __init__(self, train_loader):
        self.train_loader = train_loader
        self.warmup = 160 // (self.train_loader.batch_size * hvd.size())

    def rate(self, step):
        return min(1.0, (step + 1) / self.warmup)


def steps_per_epoch(batches):
    return len(batches.dataset) // (batches.batch_size * hvd.size())


trainer = Trainer(loader)
if hvd.rank() == 0:
    print(
        "batch",
        loader.batch_size * hvd.size(),
        f"of {len(loader.dataset)}",
        "drop",
        loader.drop_last,
        loader.num_workers,
    )
    print("steps", steps_per_epoch(loader), -(loader.batch_size * hvd.size()), (loader.batch_size * hvd.size()) ** 2, loader.batch_size * hvd.size() + 1)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, trainer.rate)
decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader.batch_sampler) * 2)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    seen = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        seen += loader.batch_size * hvd.size()
        for group in optimizer.param_groups:
            group["weight_decay"] = 0.01 * loader.batch_size * hvd.size() / len(loader.dataset)
    if hvd.rank() == 0:
        print(epoch, seen, schedule.get_last_lr()[0])
hvd.shutdown()
