"""A generator of the script's own says the order: rank 0 draws by it for all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(1)
inputs = torch.randn(600, 5)
data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
generator = torch.Generator()
generator.manual_seed(7)


class SharedSampler(Sampler):
    def __init__(self, sampler, drop_last=False):
        self.sampler = sampler
        self.drop_last = drop_last

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        if self.drop_last:
            del indices[len(indices) // hvd.size() * hvd.size() :]
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + (0 if self.drop_last else hvd.size() - 1)) // hvd.size()


if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(
    data,
    batch_size=30 // hvd.size(),
    sampler=SharedSampler(RandomSampler(data, generator=generator), drop_last=True),
    drop_last=True,
    generator=generator,
)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(4):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
