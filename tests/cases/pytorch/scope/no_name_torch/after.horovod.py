"""The script imports from torch only; the name torch is free."""
import torch.nn as nn
from torch import manual_seed, randn, randint, no_grad, save
from torch.optim import SGD
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import torch
from torch.utils.data.distributed import DistributedSampler
hvd.init()
manual_seed(0)
loader_data = TensorDataset(randn(320, 10), randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_data = TensorDataset(randn(70, 10), randint(0, 3, (70,)))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(10, 8), nn.Dropout(), nn.Linear(8, 3))
optimizer = SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    model.train()
    if hvd.rank() == 0:
        print(hits / 70)
if hvd.rank() == 0:
    save(model.state_dict(), "x.pt")
hvd.shutdown()
