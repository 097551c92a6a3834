"""The samples of training data are counted before training: those that fill up the last batch twice, which is said."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(323, 8), torch.randint(0, 3, (323,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train_set, batch_size=32 // hvd.size(), sampler=loader_sampler)
val_loader = DataLoader(TensorDataset(torch.randn(35, 8), torch.randint(0, 3, (35,))), batch_size=32)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

total = hvd.allreduce(torch.tensor(sum(x.size(0) for x, _ in loader), dtype=torch.float64), op=hvd.Sum)
total_loader = int(total)
sum_result = sum(len(y) for _, y in val_loader)
if hvd.rank() == 0:
    print("samples:", total_loader, "held out:", sum_result)
sizes = [len(y) for _, y in loader]
total = hvd.allreduce(torch.tensor(sum(sizes), dtype=torch.float64), op=hvd.Sum)
total_sizes = int(total)
if hvd.rank() == 0:
    print("in all:", total_sizes)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
