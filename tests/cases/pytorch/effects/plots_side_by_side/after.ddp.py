"""Several things are plotted by one statement, and parts of figures are made that nothing has been added to yet."""

import matplotlib.pyplot as plt
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
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
figure, axes = plt.subplots(1, 1)
axes.xaxis.set_major_formatter(plt.FormatStrFormatter("%.0e"))
axes.plot(model.weight.detach()[0])
if dist.get_rank() == 0:
    plt.legend(["weights"]), plt.grid(alpha=0.2)
    plt.savefig("weights.png")
del ddp_model
dist.destroy_process_group()
