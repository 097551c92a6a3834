"""The class of the optimizer is an argument: whatever it is, it steps by the gradients that it finds."""
import argparse
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--optim", default="Adam")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(160, 4), torch.randn(160, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler, drop_last=True)
model = nn.Linear(4, 1)
optimizer = getattr(optim, args.optim)(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()
