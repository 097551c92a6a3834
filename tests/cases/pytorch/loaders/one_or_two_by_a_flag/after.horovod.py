"""A function gives one loader or two, as a flag says; where it is called the two are taken apart."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def load(split=True, batch_size=8):
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    if split:
        train, held_out = random_split(data, [48, 16])
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        return DataLoader(train, batch_size=batch_size // hvd.size(), sampler=DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())), DataLoader(held_out, batch_size=batch_size, sampler=range(hvd.rank(), len(held_out), hvd.size()))
    else:
        return DataLoader(data, batch_size=batch_size, shuffle=True)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader, held_out = load(split=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item() * len(x)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
    if hvd.rank() == 0:
        print(total / len(held_out.dataset))
hvd.shutdown()
