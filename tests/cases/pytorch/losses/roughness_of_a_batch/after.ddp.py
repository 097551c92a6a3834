"""A loss divides a sum over the batch by the size of a picture: that counts no samples, and nothing is said of any."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Roughness(nn.Module):
    def forward(self, pictures):
        batch_size = pictures.size()[0]
        rows = pictures.size()[2]
        count = self.numbers(pictures[:, :, 1:, :])
        jumps = torch.pow((pictures[:, :, 1:, :] - pictures[:, :, : rows - 1, :]), 2).sum()
        return 2 * (jumps / count) / batch_size

    @staticmethod
    def numbers(part):
        return part.size()[1] * part.size()[2] * part.size()[3]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
net = nn.Conv2d(2, 2, 3, padding=1)
roughness = Roughness()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
noisy, clean = torch.load("pictures.pt")
loader_data = TensorDataset(noisy, clean)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
ddp_net = DistributedDataParallel(net)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        made = ddp_net(x)
        loss = nn.functional.mse_loss(made, y) + 0.1 * roughness(made)
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
