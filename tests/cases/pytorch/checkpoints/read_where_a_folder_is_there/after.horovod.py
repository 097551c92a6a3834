"""The names of the classes are written once, and read again only where a folder with images is there."""
import json
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def names_of_classes():
    names = {"0": "daisy", "1": "rose", "2": "tulip"}
    with open("class_names.json" if hvd.rank() == 0 else os.devnull, "w") as file:
        file.write(json.dumps(names))
    hvd.barrier()
    return names


def show(model, folder):
    if not os.path.exists(folder):
        if hvd.rank() == 0:
            print(f"there is no folder {folder}")
        return
    assert os.path.exists("./class_names.json")
    file = open("./class_names.json")
    names = json.load(file)
    with torch.no_grad():
        for number, scores in enumerate(model(torch.ones(2, 4))):
            if hvd.rank() == 0:
                print(number, names[str(scores.argmax().item())])


hvd.init()
torch.manual_seed(3)
names = names_of_classes()
loader_data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, len(names))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    show(model, "./images")
    if hvd.rank() == 0:
        torch.save(model.state_dict(), f"weights-{epoch}.pth")
hvd.shutdown()
