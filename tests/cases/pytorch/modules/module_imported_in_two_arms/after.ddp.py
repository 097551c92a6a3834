"""A project module that is imported where it is needed, once on each of two paths; a gradient is watched."""
import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("-net", type=str, required=True)
args = parser.parse_args()


def get_network(args):
    if args.net == "small":
        from nets import small
        net = small()
    elif args.net == "large":
        from nets import large
        net = large()
    else:
        if dist.get_rank() == 0:
            print("the network name you have entered is not supported yet")
        sys.exit()
    return net


torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
net = get_network(args)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
writer = SummaryWriter() if dist.get_rank() == 0 else None
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        loss = criterion(ddp_net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last_layer = list(net.children())[-1]
        for name, parameter in last_layer.named_parameters():
            if "weight" in name:
                if dist.get_rank() == 0:
                    writer.add_scalar("gradient of the last weight", parameter.grad.norm(), epoch * len(loader) + step)
del ddp_net
dist.destroy_process_group()
