"""A copy may go to the CPU, and the model itself once it is trained; moved to where it is, it stays as it is."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader_data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(5):
    model.to(device)
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device)).backward()
        optimizer.step()
    cpu_result = copy.deepcopy(model).cpu()
    if hvd.rank() == 0:
        torch.save(cpu_result.state_dict(), "model.pth")
cpu_result = model.cpu()
if hvd.rank() == 0:
    torch.save(cpu_result.state_dict(), "last.pth")
hvd.shutdown()
