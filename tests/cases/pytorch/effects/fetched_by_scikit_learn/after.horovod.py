"""Tables that scikit-learn fetches, unpacks and removes the archive of: rank 0 has them first, the others after."""

import torch
from sklearn.datasets import fetch_california_housing, fetch_openml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def rank_0_first(make):
    made = make() if hvd.rank() == 0 else None
    hvd.barrier()
    return made if hvd.rank() == 0 else make()


def wine():
    return rank_0_first(lambda: fetch_openml(
        "wine-quality-red",
        version=1,
        as_frame=False,
    ))


hvd.init()
torch.manual_seed(0)
rows, prices = rank_0_first(lambda: fetch_california_housing(return_X_y=True))
other = torch.tensor(wine().data).float()
x = (torch.tensor(rows).float() - other.mean()) / other.std()
y = torch.tensor(prices).float().unsqueeze(1)
model = nn.Linear(x.shape[1], 1)
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
