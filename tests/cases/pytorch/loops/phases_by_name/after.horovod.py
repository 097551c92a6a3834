"""The phases of an epoch are in a list of names, and the loaders are made one by one."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loaders = {
    "train": DataLoader(data["train"], batch_size=32 // hvd.size(), sampler=DistributedSampler(data["train"], num_replicas=hvd.size(), rank=hvd.rank())),
    "val": DataLoader(data["val"], batch_size=80, sampler=range(hvd.rank(), len(data["val"]), hvd.size())),
}
phases = ["train", "val"]
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    for phase in phases:
        model.train(phase == "train")
        running, hits = 0.0, 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for inputs, labels in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
            if phase == "train":
                loss.backward()
                optimizer.step()
            running += loss.item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
        totals = hvd.allreduce(torch.tensor([running, hits], dtype=torch.float64), op=hvd.Sum)
        running, hits = totals[0].item(), int(totals[1])
        if hvd.rank() == 0:
            print(phase, running / len(data[phase]), hits / len(data[phase]))
hvd.shutdown()
