"""The rate comes from args.lr: in strong scaling the call is left alone (ddp) or wrapped (horovod), never rescaled."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float, default=1e-3, help='learning rate')
parser.add_argument('--bs', type=int, default=32, help='batch size')
opt = parser.parse_args()

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 3), torch.randn(320, 1)), batch_size=opt.bs, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=1e-5)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
