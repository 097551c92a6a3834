"""Rows that pandas draws by a state that it is given are the same on all processes."""

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
table = pd.read_csv("data.csv")
train = table.sample(frac=0.8, random_state=1)
valid = table.drop(train.index).sample(100, random_state=2)
features, labels = torch.tensor(train[["a", "b"]].values).float(), torch.tensor(train["label"].values)
loader_data = TensorDataset(features, labels)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    with torch.no_grad():
        outputs = model(torch.tensor(valid[["a", "b"]].values).float())
    if hvd.rank() == 0:
        print((outputs.argmax(1) == torch.tensor(valid["label"].values)).float().mean().item())
hvd.shutdown()
