"""Averages of several losses are computed in the comprehension that prints them."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 8), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
names = ["squared", "absolute"]

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    sums = [0.0, 0.0]
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        losses = [nn.functional.mse_loss(model(x), y), (model(x) - y).abs().mean()]
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()
        for i, loss in enumerate(losses):
            sums[i] += loss.item()
    mean_sums = hvd.allreduce(torch.tensor(sums, dtype=torch.float64), op=hvd.Sum)
    mean_sums = (mean_sums / hvd.size()).tolist()
    if hvd.rank() == 0:
        print(" ".join(f"{name} {total / len(loader):.3f}" for name, total in zip(names, mean_sums)))
hvd.shutdown()
