"""The loss compares edges, which a convolution with fixed weights finds that is made for each batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def edges(image):
    kernel = torch.tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
    across = nn.Conv2d(1, 1, kernel_size=3, padding=1, bias=False)
    across.weight = nn.Parameter(kernel.unsqueeze(0).unsqueeze(0))
    return across(image)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.rand(48, 1, 6, 6), torch.rand(48, 1, 6, 6))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Conv2d(1, 1, 3, padding=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = (edges(model(x)) - edges(y)).abs().mean()
        loss.backward()
        optimizer.step()
hvd.shutdown()
