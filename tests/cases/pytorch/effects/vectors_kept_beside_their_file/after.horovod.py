"""torchtext reads vectors of the user's own, and keeps them in another form: the others find that complete."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchtext.vocab import Vectors
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
if hvd.rank() == 0:
    Vectors(name="words.vec", cache=".vectors")
hvd.barrier()
vectors = Vectors(name="words.vec", cache=".vectors")
x, y = vectors.vectors[:, :4], vectors.vectors[:, 4:5]
model = nn.Linear(4, 1)
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
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
