"""A class whose methods fire calls: those that no other method calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Job:
    def __init__(self, lr=0.1):
        self.model = nn.Linear(8, 3)
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(self.model.parameters(), lr=lr), named_parameters=self.model.named_parameters()
        )

    def loader(self, batch_size):
        data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        return DataLoader(data, batch_size=batch_size // hvd.size(), sampler=DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank()))

    def run(self, epochs=2, batch_size=16):
        criterion = nn.CrossEntropyLoss()
        loader = self.loader(batch_size)
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(torch.initial_seed() + hvd.rank())
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                criterion(self.model(x), y).backward()
                self.optimizer.step()
            if hvd.rank() == 0:
                print("epoch", epoch)


if __name__ == "__main__":
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    fire.Fire(Job)
    hvd.shutdown()
