"""The expression of the batch size has both kinds of quotes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
p = argparse.ArgumentParser()
p.add_argument("--b", default=32, type=int)
args = vars(p.parse_args())
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
cfg = {"a": {'b': 32}}
if (cfg["a"]['b'] if args['b'] else args["b"] + 1) % hvd.size() != 0:
    raise SystemExit(f'batch size cannot be shared out over {hvd.size()} processes')
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, (cfg["a"]['b'] if args['b'] else args["b"] + 1) // hvd.size(), False, sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
