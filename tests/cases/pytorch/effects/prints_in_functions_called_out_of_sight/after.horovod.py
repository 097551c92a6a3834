"""What a library calls may call what prints: by a function that it was handed, or a method of a class with a base."""
import atexit
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler


class Encoder(json.JSONEncoder):
    def default(self, o):
        return self.named(o)

    def named(self, o):
        print("a name for", type(o))
        return str(o)


def finish():
    told()


def told():
    print("finished")


def wrapped(function):
    return torch.jit.ignore(function)


@wrapped
def traced():
    helped()


def helped():
    print("helped")


def noted(text, loud=False):
    if loud:
        shouted(text)
    return text


def shouted(text):
    if hvd.rank() == 0:
        print(text.upper())


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
atexit.register(finish)
atexit.register(noted, "the end", True)

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
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
        noted("a step", loud=False)
with open("options.json" if hvd.rank() == 0 else os.devnull, "w") as file:
    json.dump({"device": torch.device("cpu")}, file, cls=Encoder)
hvd.shutdown()
