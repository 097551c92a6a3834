"""What a checkpoint holds keeps its type: a mean of NumPy's stays one, and a best value that began as a float is so."""
import numpy as np
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
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    mean = np.mean(losses)
    total = hvd.allreduce(torch.tensor(mean, dtype=torch.float64), op=hvd.Sum)
    mean_value = total.item() / hvd.size()
    if hvd.rank() == 0:
        print("epoch %d loss %.4f" % (epoch, mean_value))
    totals = hvd.allreduce(torch.tensor([mean, best], dtype=torch.float64), op=hvd.Sum)
    mean_value, mean_best = totals[0].item() / hvd.size(), np.float64(totals[1].item() / hvd.size())
    if mean_value < mean_best:
        best = mean
        total = hvd.allreduce(torch.tensor(best, dtype=torch.float64), op=hvd.Sum)
        mean_best = np.float64(total.item() / hvd.size())
        if hvd.rank() == 0:
            torch.save({"model": model.state_dict(), "loss": mean_best}, "best.pt")
hvd.shutdown()
