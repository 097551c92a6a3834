"""What is drawn on axes is reduced where it is drawn: what is asked of the axes later tells of no shard."""
import matplotlib.pyplot as plt
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
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_net(a), b)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
fig = plt.figure()
ax1 = fig.add_subplot(111)
mean_losses = torch.tensor(losses, dtype=torch.float64)
dist.all_reduce(mean_losses)
mean_losses = (mean_losses / dist.get_world_size()).tolist()
ax1.plot(range(len(losses)), mean_losses, label="loss")
ax1.set_ylim([0, 3])
ax1.set_xlabel("step")
ax1.legend()
ax2 = ax1.twiny()
ax2.set_xlabel("epochs")
if dist.get_rank() == 0:
    plt.tight_layout()
    plt.savefig("a.pdf")
del ddp_net
dist.destroy_process_group()
