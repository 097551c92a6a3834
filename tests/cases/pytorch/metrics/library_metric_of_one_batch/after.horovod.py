"""A metric object that is only asked for one batch, of data that all have, is left alone."""

import torch
import torch.nn.functional as F
from torchmetrics import Accuracy
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
accuracy = Accuracy(task="multiclass", num_classes=3)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy_result = accuracy(model(held_out.dataset.tensors[0]), held_out.dataset.tensors[1])
        if hvd.rank() == 0:
            print(epoch, accuracy_result.item())
hvd.shutdown()
