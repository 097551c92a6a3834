"""Inputs are moved to the GPU only where one is chosen: else DataParallel does it, so the model does it itself."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, help="use this GPU only")
options = parser.parse_args()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
if options.gpu is not None:
    net = net.cuda(options.gpu)
else:
    net = nn.DataParallel(net)
    if torch.cuda.is_available():
        net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        if options.gpu is not None:
            x = x.cuda(options.gpu, non_blocking=True)
        if torch.cuda.is_available():
            y = y.cuda(options.gpu, non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
torch.save(net.state_dict(), "net.pt")
