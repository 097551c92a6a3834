"""The module itself has a method that steps its optimizer (model.optimize(x, y))."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.fc(x)

    def optimize(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self(x), y)
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in self.optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        self.optimizer.step()
        return loss.item()


hvd.init()
net = Net()


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(3):
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    for x, y in at_epoch(DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())), epoch):
        net.optimize(x, y)
hvd.shutdown()
