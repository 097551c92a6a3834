"""A trainer's epoch is tried before its loop over epochs: its model is wrapped outside the method that makes both."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.model = nn.Linear(4, 1)
        self.optimizer = hvd.DistributedOptimizer(torch.optim.SGD(self.model.parameters(), lr=0.1))

    def epoch(self):
        total = 0.0
        self.loader.sampler.set_epoch(self.loader.sampler.epoch + 1)
        for a, b in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(a), b)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(a)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
        return total / self.loader.sampler.total_size

    def fit(self, epochs):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        for number in range(epochs):
            epoch_result = self.epoch()
            if hvd.rank() == 0:
                print(number, epoch_result)


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
trainer_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
trainer_sampler = DistributedSampler(trainer_data, num_replicas=hvd.size(), rank=hvd.rank())
trainer = Trainer(DataLoader(trainer_data, batch_size=16 // hvd.size(), sampler=trainer_sampler))
hvd.broadcast_parameters(trainer.model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
epoch_result = trainer.epoch()
if hvd.rank() == 0:
    print("tried", epoch_result)
trainer.fit(3)
if hvd.rank() == 0:
    torch.save(trainer.model.state_dict(), "model.pt")
hvd.shutdown()
