"""Each epoch gives the name of the loader to a progress bar around it, and so around the last epoch's bar."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=SharedSampler(RandomSampler(data)))
held_out_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
held_out_batches = list(BatchSampler(range(len(held_out_data)), 8, drop_last=False))[hvd.rank()::hvd.size()]
held_out = DataLoader(held_out_data, batch_sampler=held_out_batches)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader = tqdm(loader, desc=f"epoch {epoch}", disable=hvd.rank() != 0)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        loader.set_postfix(loss=loss.item())
    held_out = tqdm(held_out, disable=hvd.rank() != 0)
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item()
        totals = hvd.allreduce(torch.tensor([total, len(held_out)], dtype=torch.float64), op=hvd.Sum)
        total, num_batches = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print(total / num_batches)
hvd.shutdown()
