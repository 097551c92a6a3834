"""Labels are read in a folder where there is one; the weights are written to another one."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def show(model, folder):
    path = os.path.join(folder, "labels.txt")
    if not os.path.exists(folder):
        if hvd.rank() == 0:
            print(f"there is no folder {folder}")
        return
    if not os.path.exists(path):
        if hvd.rank() == 0:
            print(f"there are no labels in {folder}")
        return
    with open(path) as file:
        labels = file.read().split()
    with torch.no_grad():
        model_result = model(torch.ones(2, 4))
        if hvd.rank() == 0:
            print(labels, model_result.argmax(dim=1))


hvd.init()
torch.manual_seed(3)
loader_data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.path.join("results", "weights-0.pth"))
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(1, 3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    show(model, "./images")
    if hvd.rank() == 0:
        torch.save(model.state_dict(), os.path.join("results", f"weights-{epoch}.pth"))
hvd.shutdown()
