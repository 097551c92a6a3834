"""What a library calls may call what prints: by a function that it was handed, or a method of a class with a base."""
import atexit
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    if dist.get_rank() == 0:
        print(text.upper())


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
atexit.register(finish)
atexit.register(noted, "the end", True)

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
        noted("a step", loud=False)
with open("options.json" if dist.get_rank() == 0 else os.devnull, "w") as file:
    json.dump({"device": torch.device("cpu")}, file, cls=Encoder)
del ddp_model
dist.destroy_process_group()
