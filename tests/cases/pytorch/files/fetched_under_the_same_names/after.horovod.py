"""Files are fetched where they are missing, with the same names for what is asked: each sets them anew."""
import urllib.request
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data_path = Path("data")
image_path = data_path / "pizza.jpg"
if hvd.rank() != 0:
    hvd.barrier()
if image_path.is_file():
    if hvd.rank() == 0:
        print("there")
else:
    if hvd.rank() == 0:
        print("fetching")
    with open(image_path if hvd.rank() == 0 else os.devnull, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/pizza.jpg")
        file.write(answer.read())
if hvd.rank() == 0:
    hvd.barrier()
other_path = data_path / "salad.jpg"
if hvd.rank() != 0:
    hvd.barrier()
if not other_path.is_file():
    with open(other_path if hvd.rank() == 0 else os.devnull, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/salad.jpg")
        file.write(answer.read())
if hvd.rank() == 0:
    hvd.barrier()
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
hvd.shutdown()
