"""Python's own sum of a tensor adds up its rows: hits are a sum over the samples, and so is a loss."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters(), op=hvd.Sum)
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(points, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(points, batch_size=12 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    hits, seen = 0, 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        scores = net(x)
        each = nn.functional.cross_entropy(scores, y, reduction="none")
        loss = sum(each)
        loss.backward()
        optimizer.step()
        seen += len(y)
        hits += int(sum(scores.argmax(1) == y))
    totals = hvd.allreduce(torch.tensor([hits, seen], dtype=torch.float64), op=hvd.Sum)
    hits, seen = int(totals[0]), int(totals[1])
    accuracy = round(100 * hits / seen, 2)
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {accuracy} %")
hvd.shutdown()
