"""The rate is warmed up in a method."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.05 * hvd.size()), named_parameters=model.named_parameters()
        )

    def train_epoch(self, epoch, warmup):
        self.loader.sampler.set_epoch(epoch)
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            warmup.step()

    def fit(self, epochs):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        warmup = LinearLR(
            self.optimizer, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, epochs / 10) * len(self.loader)))
        )
        for epoch in range(epochs):
            self.train_epoch(epoch, warmup=warmup)


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 8)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16, sampler=loader_sampler)
trainer = Trainer(nn.Linear(8, 1), loader)
trainer.fit(30)
hvd.shutdown()
