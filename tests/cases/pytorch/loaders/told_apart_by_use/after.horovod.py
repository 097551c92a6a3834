"""The loader called test_loader trains and the one called train_loader evaluates: use decides, not the name."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
a = TensorDataset(torch.randn(640, 4), torch.randint(0, 3, (640,)))
b = TensorDataset(torch.randn(100, 4), torch.randint(0, 3, (100,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
test_sampler = DistributedSampler(a, num_replicas=hvd.size(), rank=hvd.rank())
test_loader = DataLoader(a, batch_size=32 // hvd.size(), sampler=test_sampler)
train_loader = DataLoader(b, batch_size=32, sampler=range(hvd.rank(), len(b), hvd.size()))

model = nn.Linear(4, 3)
sgd = torch.optim.SGD(model.parameters(), lr=0.1)
sgd = hvd.DistributedOptimizer(sgd, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    test_loader.sampler.set_epoch(epoch)
    for x, y in test_loader:
        sgd.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        sgd.step()
    good = 0
    with torch.no_grad():
        for x, y in train_loader:
            good += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(good, dtype=torch.float64), op=hvd.Sum)
        good = int(total)
    if hvd.rank() == 0:
        print("held out:", good / len(b))
hvd.shutdown()
