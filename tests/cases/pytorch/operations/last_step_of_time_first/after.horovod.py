"""With time in front, the last item is the last step of every sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 20)
        self.head = nn.Linear(20, 1)

    def forward(self, x):               # x: (T, B, C)
        out, h = self.rnn(x)
        return self.head(out[-1]).squeeze(1)


xs = torch.randn(200, 9, 3)
ys = xs.mean(dim=(1, 2))
loader_data = TensorDataset(xs, ys)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
net = Net()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
opt = hvd.DistributedOptimizer(opt, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        pred = net(x.permute(1, 0, 2))
        loss = nn.functional.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
hvd.shutdown()
