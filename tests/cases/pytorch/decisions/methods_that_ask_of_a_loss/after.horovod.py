"""Training ends where the loss is no number, which methods of it are asked for: all processes ask the whole loss."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
        mean_loss = (total / hvd.size()).float()
        if torch.isnan(mean_loss).any():
            if hvd.rank() == 0:
                print("not a number")
            break
        total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
        mean_loss = (total / hvd.size()).float()
        if mean_loss.isinf():
            break
        loss.backward()
        optimizer.step()
hvd.shutdown()
