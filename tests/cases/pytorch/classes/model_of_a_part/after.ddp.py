"""An object holds another one that holds the model."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class State:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


class Trainer:
    def __init__(self, model):
        self.state = State(model)

    def step(self, x, y):
        self.state.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.state.ddp_model(x), y)
        loss.backward()
        self.state.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        self.state.ddp_model = DistributedDataParallel(self.state.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            total = 0.0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                total += self.step(x, y)
            total_ = torch.tensor(total, dtype=torch.float64)
            dist.all_reduce(total_)
            total = total_.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(epoch, total / len(loader))
        del self.state.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 8)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
trainer = Trainer(nn.Linear(8, 1))
trainer.fit(loader, 3)
dist.destroy_process_group()
