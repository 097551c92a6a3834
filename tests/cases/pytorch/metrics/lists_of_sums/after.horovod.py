"""Lists of sums and of counts are summed up item by item."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
losses, hits, sizes = [], [], []
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = nn.functional.cross_entropy(output, y, reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        hits.append((output.argmax(1) == y).sum().item())
        sizes.append(len(x))
totals = hvd.allreduce(torch.tensor([losses[-1], sum(hits), np.mean(sizes)], dtype=torch.float64), op=hvd.Sum)
total_losses_, total_hits_, total_sizes_ = totals[0].item(), int(totals[1]), totals[2].item()
total_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
total_losses = total_losses.tolist()
total_hits = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
total_hits = total_hits.long().tolist()
total_sizes = hvd.allreduce(torch.tensor(sizes, dtype=torch.float64), op=hvd.Sum)
total_sizes = total_sizes.long().tolist()
if hvd.rank() == 0:
    print(total_losses, total_hits, total_sizes, len(losses), total_losses_, total_hits_, total_sizes_)
total_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
total_losses = total_losses.tolist()
if hvd.rank() == 0:
    print(np.array(total_losses) / np.array(total_sizes), max(total_hits))
hvd.shutdown()
