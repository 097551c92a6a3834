"""A loop that sets what its labels and lengths say for one sample after the other sets it of each by itself."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def one_hot(labels, classes):
    size = labels.shape[0]
    table = torch.zeros(size, classes).to(labels.device)
    for i in range(size):
        table[i, labels[i]] = 1
    return table


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)), torch.randint(1, 4, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.MSELoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    total = 0
    loader.sampler.set_epoch(epoch)
    for x, y, lengths in loader:
        mask = torch.zeros(len(x), 3)
        for i in range(len(x)):
            mask[i][: lengths[i].item()] = 1.0
        loss = (criterion(model(x), one_hot(y, 3)) * mask).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(total / len(loader))
hvd.shutdown()
