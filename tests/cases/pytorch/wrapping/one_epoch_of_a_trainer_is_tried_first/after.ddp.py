"""A trainer's epoch is tried before its loop over epochs: its model is wrapped outside the method that makes both."""

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
        self.model = nn.Linear(4, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def epoch(self):
        total = 0.0
        self.loader.sampler.set_epoch(self.loader.sampler.epoch + 1)
        for a, b in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.ddp_model(a), b)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(a)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
        return total / self.loader.sampler.total_size

    def fit(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        for number in range(epochs):
            epoch_result = self.epoch()
            if dist.get_rank() == 0:
                print(number, epoch_result)
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4)
trainer_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
trainer_sampler = DistributedSampler(trainer_data)
trainer = Trainer(DataLoader(trainer_data, batch_size=16 // dist.get_world_size(), sampler=trainer_sampler))
trainer.ddp_model = DistributedDataParallel(trainer.model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
epoch_result = trainer.epoch()
if dist.get_rank() == 0:
    print("tried", epoch_result)
del trainer.ddp_model
trainer.fit(3)
if dist.get_rank() == 0:
    torch.save(trainer.model.state_dict(), "model.pt")
dist.destroy_process_group()
