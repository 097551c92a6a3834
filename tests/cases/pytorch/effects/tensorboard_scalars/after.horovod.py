"""One SummaryWriter on rank 0; the values it is given are reduced before."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
writer = SummaryWriter("runs/linear") if hvd.rank() == 0 else None
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
step = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            writer.add_scalar("loss/train", mean_loss, step)
        step += 1
    if hvd.rank() == 0:
        writer.add_scalar("lr", optimizer.param_groups[0]["lr"], epoch)
if hvd.rank() == 0:
    writer.close()
hvd.shutdown()
