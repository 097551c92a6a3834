"""Averages of batch averages over the phases of an epoch: the data that are not trained on are evaluated in full."""

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
samplers = {
    name: DistributedSampler(data[name], num_replicas=hvd.size(), rank=hvd.rank())
    if name == "train"
    else None
    for name in ("train", "val")
}
loaders = {
    name: DataLoader(data[name], batch_size=32 // hvd.size() if name == "train" else 32, sampler=samplers[name])
    for name in ("train", "val")
}
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    for phase in ("train", "val"):
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
            running += loss.item()
            hits += (outputs.argmax(1) == labels).sum().item()
        if phase == "train":
            totals = hvd.allreduce(torch.tensor([running, hits], dtype=torch.float64), op=hvd.Sum)
            running, hits = totals[0].item() / hvd.size(), int(totals[1])
        if hvd.rank() == 0:
            print(phase, running / len(loaders[phase]), hits / len(data[phase]))
hvd.shutdown()
