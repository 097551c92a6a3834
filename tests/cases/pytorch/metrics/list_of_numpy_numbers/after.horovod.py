"""A list of NumPy arrays of one number is reduced to numbers of NumPy."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    losses = []
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().cpu().numpy())
    totals = hvd.allreduce(
        torch.tensor([np.mean(losses), float(np.array(losses).mean())], dtype=torch.float64), op=hvd.Sum
    )
    mean_losses, mean_array = totals[0].item() / hvd.size(), np.float64(totals[1].item() / hvd.size())
    mean_losses_ = hvd.allreduce(torch.tensor(np.array(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses_ = list((mean_losses_ / hvd.size()).numpy())
    if hvd.rank() == 0:
        print(epoch, mean_losses, np.array(mean_losses_).max(), mean_array.round(4))
hvd.shutdown()
