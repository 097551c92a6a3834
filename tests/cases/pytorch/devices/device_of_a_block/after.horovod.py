"""Training runs in a block that makes one GPU the current one: it would be the same one for all processes."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
parser = argparse.ArgumentParser()
parser.add_argument("--gpu-index", type=int, default=0)
args = parser.parse_args()
if not torch.cuda.is_available():
    args.gpu_index = -1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader_data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
with torch.cuda.device(-1):
    model = model.to(device)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for features, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()
hvd.shutdown()
