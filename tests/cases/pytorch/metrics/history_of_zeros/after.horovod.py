"""A history of zeros, one for each epoch, to which sums and means are added: each is reduced where it is shown."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
inputs = torch.randn(200, 8)
loader_data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
epochs = 2
losses = [0.0] * epochs
hits = epochs * [0]

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(epochs):
    loader.sampler.set_epoch(epoch)
    for batch, labels in loader:
        output = model(batch)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[epoch] += loss.item() * len(labels)
        hits[epoch] += (output.argmax(1) == labels).sum().item()
    losses[epoch] /= loader.sampler.total_size
    totals = hvd.allreduce(
        torch.tensor([losses[epoch], hits[epoch] / loader.sampler.total_size], dtype=torch.float64), op=hvd.Sum
    )
    total_losses, total_hits = totals.tolist()
    if hvd.rank() == 0:
        print(f"{total_losses:.4f}", total_hits)
total_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
total_losses = total_losses.tolist()
if hvd.rank() == 0:
    print(total_losses)
hvd.shutdown()
