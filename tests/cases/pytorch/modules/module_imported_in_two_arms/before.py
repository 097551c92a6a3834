"""A project module that is imported where it is needed, once on each of two paths; a gradient is watched."""
import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

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
        print("the network name you have entered is not supported yet")
        sys.exit()
    return net


torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
net = get_network(args)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
writer = SummaryWriter()
for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last_layer = list(net.children())[-1]
        for name, parameter in last_layer.named_parameters():
            if "weight" in name:
                writer.add_scalar("gradient of the last weight", parameter.grad.norm(), epoch * len(loader) + step)
