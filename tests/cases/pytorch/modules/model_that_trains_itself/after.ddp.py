"""The module itself has a method that steps its optimizer (model.optimize(x, y))."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x)

    def optimize(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self(x), y)
        loss.backward()
        for parameter in [p for group in self.optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        self.optimizer.step()
        return loss.item()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
net = Net()


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


for tensor in [*net.parameters(), *net.buffers()]:
    dist.broadcast(tensor.data, src=0)
for epoch in range(3):
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    for x, y in at_epoch(DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(loader_data)), epoch):
        net.optimize(x, y)
dist.destroy_process_group()
