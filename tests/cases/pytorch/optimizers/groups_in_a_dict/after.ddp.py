"""Groups that stand in a dict by their names are all parameters between them; the loose one among them is averaged."""

import json

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def groups(network, factor, decay):
    chosen = {"decayed": {"params": [], "weight_decay": decay}, "kept": {"params": [], "weight_decay": 0.0}}
    names = {"decayed": [], "kept": []}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        if parameter.ndim == 1 or name.endswith(".bias"):
            key = "kept"
        else:
            key = "decayed"
        chosen[key]["params"].append(parameter)
        names[key].append(name)
    chosen["kept"]["params"].append(factor)
    chosen["kept"]["lr"] = 0.01
    if dist.get_rank() == 0:
        print(json.dumps(names, indent=2))
    return list(chosen.values())


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = torch.optim.AdamW(groups(model, scale, 0.05), lr=0.1)

ddp_model = DistributedDataParallel(model)
for parameter_ in [scale]:
    dist.broadcast(parameter_.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        loss = F.cross_entropy(ddp_model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        for parameter_ in [scale]:
            if parameter_.grad is not None:
                dist.all_reduce(parameter_.grad)
                parameter_.grad /= dist.get_world_size()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
