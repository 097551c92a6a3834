"""The file written at the end is read back in the same run: rank 0 writes, a barrier, then all read."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_data = TensorDataset(torch.randn(90, 10), torch.randint(0, 2, (90,)))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
PATH = './net.pth'
if hvd.rank() == 0:
    torch.save(net.state_dict(), PATH)

net = nn.Linear(10, 2)
hvd.barrier()
net.load_state_dict(torch.load(PATH))
correct = 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (net(x).argmax(1) == y).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
if hvd.rank() == 0:
    print("correct:", correct, "of", len(test_loader.dataset))
hvd.shutdown()
