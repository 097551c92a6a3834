"""The epochs are counted outside of the class; batches too."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Learner:
    def __init__(self, net, rate):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=rate)
        self.losses = []

    def train(self, loader, number):
        self.net.train()
        loader.sampler.set_epoch(number)
        for i, (x, y) in enumerate(loader):
            self.opt.zero_grad()
            loss = nn.functional.mse_loss(self.ddp_net(x), y)
            loss.backward()
            self.opt.step()
            if i % 4 == 0:
                total = torch.tensor(loss.item(), dtype=torch.float64)
                dist.all_reduce(total)
                mean_loss = total.item() / dist.get_world_size()
                if dist.get_rank() == 0:
                    print(f"{number} {i} {mean_loss:.4f}")
        self.losses.append(loss.item())


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 8)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
learner = Learner(nn.Linear(8, 1), 0.05)
learner.ddp_net = DistributedDataParallel(learner.net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(1, 4):
    learner.train(loader, epoch)
del learner.ddp_net
if dist.get_rank() == 0:
    torch.save({"net": learner.net.state_dict(), "opt": learner.opt.state_dict()}, "learner.pt")
mean_losses = torch.tensor(learner.losses, dtype=torch.float64)
dist.all_reduce(mean_losses)
mean_losses = (mean_losses / dist.get_world_size()).tolist()
if dist.get_rank() == 0:
    print(mean_losses)
dist.destroy_process_group()
