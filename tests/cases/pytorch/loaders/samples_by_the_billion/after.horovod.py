"""A data set that makes samples says that it has ten billion of them: a list of their numbers would take all memory."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd


class Sequences(Dataset):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return 9_999_999_999

    def __getitem__(self, index):
        digits = torch.rand(self.length)
        return digits, int(digits[0] > 0.5)


hvd.init()
torch.manual_seed(0)
loader_data = Sequences(8)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = range(hvd.rank(), len(loader_data), hvd.size())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step, (digits, label) in enumerate(loader):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(digits), label).backward()
    optimizer.step()
    if step == 30:
        break
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
