"""The script moves its batches itself under the condition under which it wraps its model."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
args.gpu = args.gpu and torch.cuda.is_available()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
net = nn.Linear(5, 3)
if args.gpu:
    net = net.cuda()
    net = nn.DataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        if args.gpu:
            x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
