"""A tracker is told the options, which stay what they are: the program is made for the default of one of them."""
import argparse

import torch
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from apex import amp
except ImportError:
    amp = None

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--mixed-precision", action="store_true")
parser.add_argument("--opt-level", default="O1")
args = parser.parse_args()
wandb.init(project="rows")
wandb.config.update(args)

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
loader = DataLoader(rows, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if args.mixed_precision:
    model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)

for epoch in range(args.epochs):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        if args.mixed_precision:
            with amp.scale_loss(loss, optimizer) as scaled:
                scaled.backward()
        else:
            loss.backward()
        optimizer.step()
