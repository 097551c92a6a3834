"""A project module loads the data set: progress bars are switched off where the script starts."""
import torch
import torch.nn as nn
from reading import make_loader
import datasets
import horovod.torch as hvd

hvd.init()
if hvd.rank() != 0:
    datasets.disable_progress_bars()
loader = make_loader()
model = nn.Embedding(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch["label"]), batch["label"]).backward()
        optimizer.step()
hvd.shutdown()
