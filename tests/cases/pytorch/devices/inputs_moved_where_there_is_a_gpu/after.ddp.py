"""The script moves its batches itself where there is a GPU: DataParallel had nothing to move."""
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
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
GPU = torch.cuda.is_available()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 5), torch.randint(3, (48,)))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(5, 3)
if GPU:
    net = net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        if GPU:
            x = x.cuda()
            y = y.cuda()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_net(x), y)
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
