"""eval() comes after this pass only: batch normalisation takes the statistics of the evaluated batch, which stays whole."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
X, Y = torch.randn(400, 8), torch.randint(0, 4, (400,))
loader_data = TensorDataset(X[:320], Y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
val_loader = DataLoader(TensorDataset(X[320:], Y[320:]), batch_size=40)
net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(ddp_net(x), y)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (net(x).argmax(1) == y).sum().item()
    if dist.get_rank() == 0:
        print(epoch, correct / len(val_loader.dataset))
for buffer in net.buffers():
    dist.broadcast(buffer, src=0)
net.eval()
if dist.get_rank() == 0:
    torch.save(net.state_dict(), "net.pt")
del ddp_net
dist.destroy_process_group()
