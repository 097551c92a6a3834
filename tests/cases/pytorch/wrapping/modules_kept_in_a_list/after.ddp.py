"""A module that a model keeps in a plain list, and one that it calls by a global name, are no parts of it: DDP sees neither."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoders = [encoder]
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(middle(torch.relu(self.encoders[0](x)))))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
encoder = nn.Linear(10, 8)
middle = nn.Linear(8, 8)
model = Net(encoder)
parameters = list(model.parameters()) + list(encoder.parameters()) + list(middle.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
ddp_model = DistributedDataParallel(model)
for parameter in [*encoder.parameters(), *middle.parameters()]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        for parameter in [*encoder.parameters(), *middle.parameters()]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
if dist.get_rank() == 0:
    print(sum(p.abs().sum().item() for p in parameters))
del ddp_model
dist.destroy_process_group()
