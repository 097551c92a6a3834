"""correct and total are both counted in the loop: both are sums over ranks, reduced together."""
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
loader_data = TensorDataset(torch.randn(400, 9), torch.randint(0, 2, (400,)))
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(9, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    correct, total = 0, 0
    loader.sampler.set_epoch(epoch)
    for data in loader:
        x, y = data
        out = ddp_model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, predicted = torch.max(out.data, 1)
        total += y.size(0)
        correct += (predicted == y).sum().item()
    totals = torch.tensor([correct, total], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, total = int(totals[0]), int(totals[1])
    accuracy = 100 * correct / total
    if dist.get_rank() == 0:
        print('Epoch: %d, training accuracy: %.2f%% of %d' % (epoch, accuracy, total))
del ddp_model
dist.destroy_process_group()
