"""The training set stands in a mapping, from which the sampler takes it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
settings = {"train": dict(dataset=TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)}
if settings["train"]["batch_size"] % hvd.size() != 0:
    raise SystemExit(f'batch size {settings["train"]["batch_size"]} cannot be shared out over {hvd.size()} processes')
train_sampler = DistributedSampler(settings["train"]["dataset"], num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(
    sampler=train_sampler,
    **dict(settings["train"], batch_size=settings["train"]["batch_size"] // hvd.size(), shuffle=False),
)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
