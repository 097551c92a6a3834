"""A function moves what it is given to a device, part by part: batches of which nothing is known, and the model."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def to_device(data, device):
    """Move tensor(s) to the chosen device."""
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    if isinstance(data, dict):
        return {k: to_device(v, device=device) for k, v in data.items()}
    return data.to(device, non_blocking=True)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = torch.device("cpu")
loader_data = spectra()
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = to_device(nn.Linear(4, 3), device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        spectrum, label = to_device(batch, device)
        optimizer.zero_grad()
        loss = F.cross_entropy(ddp_model(spectrum), label)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
