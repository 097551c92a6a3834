"""A file has a tensor that the model is called with: it goes to each process's own GPU, where it was saved from one."""

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
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
noise = torch.randn(4, 8, device=device)
if os.path.exists("last.tar"):
    last = torch.load(
        "last.tar", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)
    )
    noise = last["noise"]
    net.load_state_dict(last["net"])
    optimizer.load_state_dict(last["optimizer"])
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
        print(net_result.sum().item())
if dist.get_rank() == 0:
    torch.save({"noise": noise, "net": net.state_dict(), "optimizer": optimizer.state_dict()}, "last.tar")
del ddp_net
dist.destroy_process_group()
