"""What a library gives that is not installed here has names that parts of others have too: those are theirs."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
import torch.utils.data
from quotes import TimeSeries
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
data = TimeSeries(key="none").daily("IBM")
xticks = [row.day for row in data]
if hvd.rank() == 0:
    plt.xticks(range(len(xticks)), xticks)


class Days(torch.utils.data.Dataset):
    def __len__(self):
        return 640

    def __getitem__(self, index):
        x = torch.full((10,), float(index))
        return x, x[:1]


loader_data = Days()
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = torch.utils.data.DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
