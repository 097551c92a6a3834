"""Layers that are registered under numbered names, and called by the names themselves."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self, repeats):
        super().__init__()
        self.stem = nn.Linear(8, 16)
        self.stage2: nn.Sequential
        self.stage3: nn.Sequential
        names = ["stage{}".format(i) for i in [2, 3]]
        for name, repeat in zip(names, repeats):
            seq = [nn.Linear(16, 16)]
            for _ in range(repeat - 1):
                seq.append(nn.ReLU())
            setattr(self, name, nn.Sequential(*seq))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        x = self.stem(x)
        x = self.stage2(x)
        x = self.stage3(x)
        return self.head(x)


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = Net([2, 3])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
