"""Python's own sum of a tensor adds up its rows: hits are a sum over the samples, and so is a loss."""
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
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(points, batch_size=12 // dist.get_world_size(), sampler=DistributedSampler(points))
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    hits, seen = 0, 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        scores = ddp_net(x)
        each = nn.functional.cross_entropy(scores, y, reduction="none")
        loss = sum(each)
        (loss * dist.get_world_size()).backward()
        optimizer.step()
        seen += len(y)
        hits += int(sum(scores.argmax(1) == y))
    totals = torch.tensor([hits, seen], dtype=torch.float64)
    dist.all_reduce(totals)
    hits, seen = int(totals[0]), int(totals[1])
    accuracy = round(100 * hits / seen, 2)
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {accuracy} %")
del ddp_net
dist.destroy_process_group()
