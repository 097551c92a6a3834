"""The file written at the end is read back in the same run: rank 0 writes, a barrier, then all read."""
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
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
test_data = TensorDataset(torch.randn(90, 10), torch.randint(0, 2, (90,)))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_net(x), y).backward()
        optimizer.step()
PATH = './net.pth'
if dist.get_rank() == 0:
    torch.save(net.state_dict(), PATH)

net = nn.Linear(10, 2)
dist.barrier()
net.load_state_dict(torch.load(PATH))
correct = 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (net(x).argmax(1) == y).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
if dist.get_rank() == 0:
    print("correct:", correct, "of", len(test_loader.dataset))
del ddp_net
dist.destroy_process_group()
