"""The loss is summed as a tensor, not as a number (total_loss += loss.data): reduced without touching the user's tensor in place."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(300, 4), torch.randn(300, 1))
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=30 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
mse = nn.MSELoss()

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(6):
    total_loss = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = mse(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.data
    total = hvd.allreduce(torch.tensor(float(total_loss), dtype=torch.float64), op=hvd.Sum)
    total_loss = (total / hvd.size()).float()
    if hvd.rank() == 0:
        print("epoch: %d, loss: %.4f" % (epoch, total_loss / len(loader)))
hvd.shutdown()
