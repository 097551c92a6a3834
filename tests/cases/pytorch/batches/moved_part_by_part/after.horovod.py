"""A function moves what it is given to a device, part by part: batches of which nothing is known, and the model."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from measured import spectra
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def to_device(data, device):
    """Move tensor(s) to the chosen device."""
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    if isinstance(data, dict):
        return {k: to_device(v, device=device) for k, v in data.items()}
    return data.to(device, non_blocking=True)


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
device = torch.device("cpu")
loader_data = spectra()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = to_device(nn.Linear(4, 3), device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        spectrum, label = to_device(batch, device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(spectrum), label)
        loss.backward()
        optimizer.step()
hvd.shutdown()
