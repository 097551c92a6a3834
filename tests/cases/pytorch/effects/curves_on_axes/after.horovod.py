"""What is drawn on axes is reduced where it is drawn: what is asked of the axes later tells of no shard."""
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
losses = []
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(a), b)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
fig = plt.figure()
ax1 = fig.add_subplot(111)
mean_losses = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
mean_losses = (mean_losses / hvd.size()).tolist()
ax1.plot(range(len(losses)), mean_losses, label="loss")
ax1.set_ylim([0, 3])
ax1.set_xlabel("step")
ax1.legend()
ax2 = ax1.twiny()
ax2.set_xlabel("epochs")
if hvd.rank() == 0:
    plt.tight_layout()
    plt.savefig("a.pdf")
hvd.shutdown()
