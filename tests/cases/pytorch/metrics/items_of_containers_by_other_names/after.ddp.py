"""Items of a container that differ, under whatever name they were put in, and beside them those that are equal."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


class Keeper:
    def __init__(self):
        self.curves = {"hits": [], "largest": []}

    def keep(self, **what):
        for key, value in what.items():
            self.curves[key].append(value)


keeper = Keeper()
curves = {"a": [], "b": []}
nested = {"train": {"hits": [], "largest": []}, "other": {"hits": []}}
rows = []
copied = {"a": [], "b": []}
alias = copied["a"]
moved = {"a": [], "b": []}
pair = [[], []]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    hits, largest = 0, 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = ddp_model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        hits += (output.argmax(1) == y).sum().item()
        largest = max(largest, loss.item())
    total = torch.tensor(hits, dtype=torch.float64)
    dist.all_reduce(total)
    hits = int(total)
    for k, v in zip(curves, (hits, largest)):
        curves[k].append(v)
    keeper.keep(hits=hits, largest=largest)
    nested["train"]["hits"].append(hits)
    nested["train"]["largest"].append(largest)
    nested["other"]["hits"].append(hits)
    rows.append({"hits": hits, "largest": largest})
    alias.append(largest)
    moved["b"].append(largest)
    moved["a"], moved["b"] = moved["b"], moved["a"]
    pair[epoch % 2].append(largest)
    pair[1].append(hits)
if dist.get_rank() == 0:
    print(curves["a"])
    print(keeper.curves["hits"])
    print(nested["train"]["hits"])
    print(nested["train"]["largest"])
    print(nested["other"])
    print(nested["other"]["hits"])
    print(rows[-1]["hits"])
    print(rows[-1]["largest"])
    print(copied["a"])
    print(copied["b"])
    print(moved["a"])
    print(moved["b"])
    print(pair[1])
    print(pair[0][-1])
del ddp_model
dist.destroy_process_group()
