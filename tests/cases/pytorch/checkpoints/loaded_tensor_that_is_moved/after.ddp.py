"""What is loaded is weights, numbers, data that are shared out, or moved: it may be on the CPU before that."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x = torch.load("x.pt", map_location="cpu")
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
last = torch.load("last.tar", map_location="cpu")
net.load_state_dict(last["net"])
optimizer.load_state_dict(last["optimizer"])
other = torch.load("other.pt", map_location="cpu")
net.load_state_dict({name.replace("module.", ""): value for name, value in other.items()})
best = last["best"] + 1.0
noise = last["noise"].to(device)
sizes = torch.load("sizes.pt", map_location="cpu")
head = nn.Linear(sizes["inputs"], 2)
torch.set_rng_state(last["state"])
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_net(a.to(device)), b.to(device)).backward()
        optimizer.step()
with torch.no_grad():
    net_result = net(noise)
    if dist.get_rank() == 0:
        print(best, net_result.sum().item(), sum(p.numel() for p in head.parameters()))
if dist.get_rank() == 0:
    torch.save(last, "copy.tar")
del ddp_net
dist.destroy_process_group()
