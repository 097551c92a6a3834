"""Batches that are moved under another condition than that under which the model is wrapped: DataParallel moved them."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
parser.add_argument("--half", action="store_true")
parser.add_argument("--wide", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
net, other = nn.Linear(5, 3), nn.Linear(3, 3)
if args.gpu:
    net = net.cuda()
    net = nn.DataParallel(net)
if args.wide:
    other = nn.DataParallel(other.cuda())
args.wide = args.half
optimizer = torch.optim.SGD([*net.parameters(), *other.parameters()], lr=0.05)
for epoch in range(2):
    for x, y in loader:
        if args.half:
            x = x.cuda()
        optimizer.zero_grad()
        scores = net(x)
        if args.wide:
            scores = scores.cuda()
        loss = nn.functional.cross_entropy(other(scores), y)
        loss.backward()
        optimizer.step()
