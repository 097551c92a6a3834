"""No shuffle: the sampler must not shuffle either, and the order stays that of the file."""
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.linspace(-1, 1, 512).unsqueeze(1)
y = x.pow(3) + 0.1 * torch.randn(x.size())

dataset = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(dataset, batch_size=32 // hvd.size(), sampler=loader_sampler)

net = nn.Sequential(nn.Linear(1, 50), nn.Tanh(), nn.Linear(50, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
opt = hvd.DistributedOptimizer(opt, named_parameters=net.named_parameters())
loss_fn = nn.MSELoss()

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(20):
    loader.sampler.set_epoch(epoch)
    for bx, by in loader:
        loss = loss_fn(net(bx), by)
        opt.zero_grad()
        loss.backward()
        opt.step()

if hvd.rank() == 0:
    torch.save(net.state_dict(), "cubic.pt")
hvd.shutdown()
