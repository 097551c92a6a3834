"""Rank 0 fetches files and tells the others their names: by then the files are there."""
import urllib.request

import torch
import wget
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def fetched(url):
    path, _ = hvd.broadcast_object(urllib.request.urlretrieve(url) if hvd.rank() == 0 else ())
    return path


hvd.init()
torch.manual_seed(0)
name = hvd.broadcast_object(wget.download("https://example.org/rows.pt") if hvd.rank() == 0 else "")
rows = torch.load(name)
labels = torch.load(fetched("https://example.org/labels.pt"))
start = torch.load(
    hvd.broadcast_object(wget.download("https://example.org/start.pt", "start.pt") if hvd.rank() == 0 else "")
)
loader_data = TensorDataset(rows, labels)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
model.load_state_dict(start)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
