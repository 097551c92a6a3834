"""Whether to shuffle is known only at run time: the sampler gets the same expression."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--no-shuffle", action="store_true")
args = parser.parse_args()

digits = load_digits()
data = TensorDataset(torch.tensor(digits.data, dtype=torch.float32), torch.tensor(digits.target))
shuffle = not args.no_shuffle
if args.batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=shuffle)
loader = DataLoader(data, batch_size=args.batch_size // hvd.size(), sampler=loader_sampler)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for ep in range(args.epochs):
    loader.sampler.set_epoch(ep)
    for inputs, targets in loader:
        optimizer.zero_grad()
        criterion(model(inputs), targets).backward()
        optimizer.step()
    if hvd.rank() == 0:
        print("finished epoch", ep)
hvd.shutdown()
