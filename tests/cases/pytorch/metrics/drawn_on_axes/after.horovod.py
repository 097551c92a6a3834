"""What is drawn on the axes of a figure is reduced, or told, as what is drawn by a function of pyplot is."""
import matplotlib.pyplot as plt
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
losses, squares = [], []
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        squares.append(loss.item() ** 2)
fig, axes = plt.subplots(1, 2)
mean_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
mean_losses = (mean_losses / hvd.size()).tolist()
axes[0].plot(mean_losses)
for ax, values in zip(axes.flat, [squares, squares]):
    ax.set_title("squares")
    ax.plot(values)
if hvd.rank() == 0:
    fig.savefig("losses.png")
hvd.shutdown()
