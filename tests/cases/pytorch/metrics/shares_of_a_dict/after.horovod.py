"""A dict that a comprehension goes over is made whole, and so is what it divides each item by."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    sums = {"loss": 0.0, "n": 0}
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        sums["loss"] += loss.item() * len(x)
        sums["n"] += len(x)
    totals = hvd.allreduce(torch.tensor([sums["loss"], sums["n"]], dtype=torch.float64), op=hvd.Sum)
    sums["loss"], sums["n"] = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print({k: v / sums["n"] for k, v in sums.items()})
        print({k: v / sums["n"] for k, v in sums.items()}["loss"])
        print([v / sums["n"] for k, v in sums.items()][0])
hvd.shutdown()
