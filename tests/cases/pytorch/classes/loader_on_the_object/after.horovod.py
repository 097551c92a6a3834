"""A class holds the model, the loader and the training step."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.Adam(self.model.parameters(), lr=lr), named_parameters=self.model.named_parameters()
        )
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        total = 0.0
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        return total / len(self.loader)

    def fit(self, epochs):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(torch.initial_seed() + hvd.rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            train_epoch_result = self.train_epoch()
            if hvd.rank() == 0:
                print(epoch, train_epoch_result)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
Trainer(nn.Linear(10, 1), loader, 0.01).fit(5)
hvd.shutdown()
