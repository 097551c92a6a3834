"""The loss is a module of the script's own, which no optimizer steps; what is clipped is the model's alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Smooth(nn.Module):
    def __init__(self, by=0.1):
        super().__init__()
        self.by = by
        self.loss = nn.CrossEntropyLoss()

    def forward(self, output, target):
        return (1 - self.by) * self.loss(output, target) - self.by * output.log_softmax(1).mean()


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(96, 6), torch.randint(0, 3, (96,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
criterion = Smooth()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.synchronize()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        for parameter in model.parameters():
            parameter.grad.mul_(0.5)
        with optimizer.skip_synchronize():
            optimizer.step()
hvd.shutdown()
