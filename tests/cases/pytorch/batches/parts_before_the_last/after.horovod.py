"""All parts of a batch but the last go to the model: after a star, or cut out of the batch."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(8, 4)
        self.right = nn.Linear(8, 4)

    def forward(self, left, right):
        return self.left(left) + self.right(right)


hvd.init()
torch.manual_seed(0)
loader_data = load_features("pairs")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
own_data = TensorDataset(torch.randn(64, 8), torch.randn(64, 8), torch.rand(64, 4))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
own_sampler = DistributedSampler(own_data, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000)
own = DataLoader(own_data, batch_size=16 // hvd.size(), sampler=own_sampler)
model = Pair()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        loss = criterion(model(*batch[:-1]), batch[-1])
        loss.backward()
        optimizer.step()
    own.sampler.set_epoch(epoch)
    for batch in own:
        *pair, wanted = [part.float() for part in batch]
        optimizer.zero_grad()
        loss = criterion(model(*pair), wanted)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
