"""The folder above a file is made where it is missing: by rank 0, before others ask for it."""
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, loader):
        self.loader = loader
        self.model = nn.Linear(10, 3)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        for a, b in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.ddp_model(a), b)
            loss.backward()
            self.optimizer.step()

    def save(self, epoch, prefix="model", root="ckpt"):
        path = Path(root) / (prefix + ".ep%d" % epoch)
        if dist.get_rank() == 0:
            if not path.parent.exists():
                path.parent.mkdir()
            torch.save(self.model.state_dict(), path)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
trainer_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
trainer_sampler = DistributedSampler(trainer_data)
trainer = Trainer(DataLoader(trainer_data, batch_size=16 // dist.get_world_size(), sampler=trainer_sampler))
trainer.ddp_model = DistributedDataParallel(trainer.model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    trainer.loader.sampler.set_epoch(epoch)
    trainer.train()
    trainer.save(epoch)
del trainer.ddp_model
dist.destroy_process_group()
