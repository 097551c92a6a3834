"""Weak scaling: args.lr is scaled where the optimizer is made; the argument itself stays the user's."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float, default=0.01)
parser.add_argument('--batch-size', type=int, default=32)
parser.add_argument('--epochs', type=int, default=20)
args = parser.parse_args()
if hvd.rank() == 0:
    print("lr", args.lr)
loader_data = TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1))
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=args.batch_size, sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
warmup = LinearLR(
    optimizer, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, args.epochs / 10) * len(loader)))
)
for epoch in range(args.epochs):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        warmup.step()
hvd.shutdown()
