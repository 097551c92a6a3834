"""A list of tensors is reduced to a list of tensors: it is stacked, and its items are read with item()."""
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
        losses.append(loss.detach())
    totals = hvd.allreduce(
        torch.tensor([torch.stack(losses).mean().item(), losses[-1].item()], dtype=torch.float64), op=hvd.Sum
    )
    mean_stack, mean_losses_ = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    mean_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
    mean_losses = list((mean_losses / hvd.size()).float())
    if hvd.rank() == 0:
        print(epoch, mean_stack, max(mean_losses).item(), mean_losses_)
hvd.shutdown()
