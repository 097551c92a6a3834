"""Groups that stand in a dict by their names are all parameters between them; the loose one among them is averaged."""

import json

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
    if hvd.rank() == 0:
        print(json.dumps(names, indent=2))
    return list(chosen.values())


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = torch.optim.AdamW(groups(model, scale, 0.05), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter_ in [scale]:
    hvd.broadcast_(parameter_.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
