"""A loss divides a sum over the batch by the size of a picture: that counts no samples, and nothing is said of any."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


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


hvd.init()
torch.manual_seed(0)
net = nn.Conv2d(2, 2, 3, padding=1)
roughness = Roughness()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer)
noisy, clean = torch.load("pictures.pt")
loader_data = TensorDataset(noisy, clean)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
hvd.broadcast_parameters(roughness.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        made = net(x)
        loss = nn.functional.mse_loss(made, y) + 0.1 * roughness(made)
        loss.backward()
        optimizer.step()
hvd.shutdown()
