"""The first batch of an iterator is kept to look at the model's outputs for it: what no batch changes is no state."""
import numpy as np
import torch
from scipy.misc import imsave
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


loader_data = TensorDataset(torch.rand(64, 16))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(loader_data)))
model = nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
batches = iter(loader)
(fixed,) = next(batches)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(1, 20):
    if step % len(loader) == 0:
        batches = iter(loader)
    (rows,) = next(batches)
    optimizer.zero_grad()
    loss = criterion(model(rows), rows)
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        shown = model(fixed).detach().numpy()
        if hvd.rank() == 0:
            imsave(f"step_{step}.png", np.concatenate([fixed.numpy(), shown]))
hvd.shutdown()
