"""A class whose methods fire calls: those that no other method calls."""

import fire
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Job:
    def __init__(self, lr=0.1):
        self.model = nn.Linear(8, 3)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def loader(self, batch_size):
        data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
        if batch_size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
        return DataLoader(data, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(data))

    def run(self, epochs=2, batch_size=16):
        criterion = nn.CrossEntropyLoss()
        loader = self.loader(batch_size)
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(torch.initial_seed() + dist.get_rank())
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                criterion(self.ddp_model(x), y).backward()
                self.optimizer.step()
            if dist.get_rank() == 0:
                print("epoch", epoch)
        del self.ddp_model


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    fire.Fire(Job)
    dist.destroy_process_group()
