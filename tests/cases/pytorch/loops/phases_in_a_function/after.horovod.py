"""Each phase of an epoch is a call of a function that is given its name."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
loaders = {}
for name in ["train", "val"]:
    if name == "train":
        if 32 % hvd.size() != 0:
            raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
        sampler = DistributedSampler(data[name], num_replicas=hvd.size(), rank=hvd.rank())
    else:
        sampler = range(hvd.rank(), len(data[name]), hvd.size())
    loaders[name] = DataLoader(data[name], batch_size=32 // hvd.size(), sampler=sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def run(phase):
    model.train(phase == "train")
    running = 0.0
    for inputs, labels in loaders[phase]:
        with torch.set_grad_enabled(phase == "train"):
            loss = criterion(model(inputs), labels)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        running += loss.item() * len(labels)
    total = hvd.allreduce(torch.tensor(running, dtype=torch.float64), op=hvd.Sum)
    running = total.item()
    return running


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    for phase in ["train", "val"]:
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        run_result = run(phase)
        if hvd.rank() == 0:
            print(epoch, phase, run_result / len(data[phase]))
hvd.shutdown()
