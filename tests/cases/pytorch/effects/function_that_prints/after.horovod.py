"""Functions that print, as they are handed to others: each line is printed once."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
total = 0.0
show = lambda: print("sum", total) if hvd.rank() == 0 else None
say = lambda text: print(text.upper()) if hvd.rank() == 0 else None
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    show()
say("done")
hvd.shutdown()
