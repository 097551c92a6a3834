"""The phase without training computes gradients as well, which DDP would wait for: nothing is wrapped."""

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
    else range(hvd.rank(), len(data[name]), hvd.size())
    for name in ("train", "val")
}
loaders = {
    name: DataLoader(data[name], batch_size=32 // hvd.size(), sampler=samplers[name]) for name in ("train", "val")
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
        hits = 0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for inputs, labels in loaders[phase]:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            hits += (outputs.argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
        if hvd.rank() == 0:
            print(phase, hits / len(data[phase]))
hvd.shutdown()
