"""With time in front, the last item is the last step of every sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 20)
        self.head = nn.Linear(20, 1)

    def forward(self, x):               # x: (T, B, C)
        out, h = self.rnn(x)
        return self.head(out[-1]).squeeze(1)


xs = torch.randn(200, 9, 3)
ys = xs.mean(dim=(1, 2))
loader_data = TensorDataset(xs, ys)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
net = Net()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
ddp_net = DistributedDataParallel(net)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        pred = ddp_net(x.permute(1, 0, 2))
        loss = nn.functional.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
del ddp_net
dist.destroy_process_group()
