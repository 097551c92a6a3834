"""optimizer, loader and epoch mean other things in functions that do not train: those are left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def optimizer(text):
    return text.strip().lower()


def epoch(loader):
    return [optimizer(line) for line in loader]


def train():
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(10, 1)
    sgd = torch.optim.SGD(model.parameters(), lr=0.01)
    sgd = hvd.DistributedOptimizer(sgd, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for i in range(3):
        loader.sampler.set_epoch(i)
        for x, y in loader:
            sgd.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            sgd.step()


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
if hvd.rank() == 0:
    print(epoch(["  Adam ", "SGD"]))
train()
hvd.shutdown()
