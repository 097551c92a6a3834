"""Models are made to be printed, and draw their first weights: all processes make them, as they split the data next."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


hvd.init()
torch.manual_seed(0)
Net_result = Net()
if hvd.rank() == 0:
    print(Net_result)
Linear_result = nn.Linear(8, 2)
if hvd.rank() == 0:
    print(nn.Softmax(dim=1), Linear_result)
sum_result = sum(p.numel() for p in Net().parameters())
if hvd.rank() == 0:
    print(sum_result)
train, _ = random_split(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), [600, 40])
if 60 % hvd.size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train, batch_size=60 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
