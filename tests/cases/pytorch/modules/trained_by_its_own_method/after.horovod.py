"""The model has a method that trains it: what it calls of itself there is the forward pass of the training step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(self.parameters(), lr=0.1), named_parameters=self.named_parameters()
        )
        self.criterion = nn.MSELoss()

    def forward(self, x):
        return self.net(x)

    def fit(self, loader, epochs):
        hvd.broadcast_parameters(self.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(torch.initial_seed() + hvd.rank())
        for epoch in range(epochs):
            total = 0.0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
            total = total_.item() / hvd.size()
            if hvd.rank() == 0:
                print(epoch, total / len(loader))


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Regressor()
model.fit(loader, 3)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
