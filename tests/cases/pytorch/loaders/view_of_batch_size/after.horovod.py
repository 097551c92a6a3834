"""x.view(batch_size, -1) reshapes by the batch size, of which each process has its share."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
batch_size = 32
loader_data = TensorDataset(torch.randn(640, 1, 8, 8), torch.randint(0, 10, (640,)))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        images = images.view(batch_size // hvd.size(), -1)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
hvd.shutdown()
