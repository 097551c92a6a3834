"""The epochs are counted outside of the class; batches too."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Learner:
    def __init__(self, net, rate):
        self.net = net
        self.opt = hvd.DistributedOptimizer(
            torch.optim.SGD(net.parameters(), lr=rate), named_parameters=net.named_parameters()
        )
        self.losses = []

    def train(self, loader, number):
        self.net.train()
        loader.sampler.set_epoch(number)
        for i, (x, y) in enumerate(loader):
            self.opt.zero_grad()
            loss = nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.opt.step()
            if i % 4 == 0:
                total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
                mean_loss = total.item() / hvd.size()
                if hvd.rank() == 0:
                    print(f"{number} {i} {mean_loss:.4f}")
        self.losses.append(loss.item())


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 8)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
learner = Learner(nn.Linear(8, 1), 0.05)
hvd.broadcast_parameters(learner.net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(1, 4):
    learner.train(loader, epoch)
if hvd.rank() == 0:
    torch.save({"net": learner.net.state_dict(), "opt": learner.opt.state_dict()}, "learner.pt")
mean_losses = hvd.allreduce(torch.tensor(learner.losses, dtype=torch.float64), op=hvd.Sum)
mean_losses = (mean_losses / hvd.size()).tolist()
if hvd.rank() == 0:
    print(mean_losses)
hvd.shutdown()
