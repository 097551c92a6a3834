"""No shuffle: the sampler must not shuffle either, and the order stays that of the file."""
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.linspace(-1, 1, 512).unsqueeze(1)
y = x.pow(3) + 0.1 * torch.randn(x.size())

dataset = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(dataset, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(dataset, shuffle=False))

net = nn.Sequential(nn.Linear(1, 50), nn.Tanh(), nn.Linear(50, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
loss_fn = nn.MSELoss()

ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(20):
    loader.sampler.set_epoch(epoch)
    for bx, by in loader:
        loss = loss_fn(ddp_net(bx), by)
        opt.zero_grad()
        loss.backward()
        opt.step()

if dist.get_rank() == 0:
    torch.save(net.state_dict(), "cubic.pt")
del ddp_net
dist.destroy_process_group()
