"""The folder above a file is made where it is missing: by rank 0, before others ask for it."""
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.model = nn.Linear(10, 3)
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(self.model.parameters(), lr=0.1), named_parameters=self.model.named_parameters()
        )

    def train(self):
        for a, b in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(a), b)
            loss.backward()
            self.optimizer.step()

    def save(self, epoch, prefix="model", root="ckpt"):
        path = Path(root) / (prefix + ".ep%d" % epoch)
        if hvd.rank() == 0:
            if not path.parent.exists():
                path.parent.mkdir()
            torch.save(self.model.state_dict(), path)


hvd.init()
torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
trainer_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
trainer_sampler = DistributedSampler(trainer_data, num_replicas=hvd.size(), rank=hvd.rank())
trainer = Trainer(DataLoader(trainer_data, batch_size=16 // hvd.size(), sampler=trainer_sampler))
hvd.broadcast_parameters(trainer.model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    trainer.loader.sampler.set_epoch(epoch)
    trainer.train()
    trainer.save(epoch)
hvd.shutdown()
