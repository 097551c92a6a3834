"""The rate comes from args.lr: in strong scaling the call is left alone (ddp) or wrapped (horovod), never rescaled."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float, default=1e-3, help='learning rate')
parser.add_argument('--bs', type=int, default=32, help='batch size')
opt = parser.parse_args()

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 3), torch.randn(320, 1))
if opt.bs % hvd.size() != 0:
    raise SystemExit(f"batch size {opt.bs} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=opt.bs // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=1e-5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
