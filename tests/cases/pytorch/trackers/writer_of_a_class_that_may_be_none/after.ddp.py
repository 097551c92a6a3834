"""A trainer asks whether it was given a writer, and for how many steps: what it writes is of the global batch."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, writer=None):
        self.model = model
        self.writer = writer
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.steps = 0

    def train(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.ddp_model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.steps += 1
            if self.writer and self.steps % 2 == 0:
                total = torch.tensor(loss.item(), dtype=torch.float64)
                dist.all_reduce(total)
                mean_loss = total.item() / dist.get_world_size()
                if dist.get_rank() == 0:
                    self.writer.add_scalar("loss", mean_loss, self.steps)
        if not self.writer:
            return
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            self.writer.add_scalar("last", mean_loss, self.steps)
            self.writer.flush()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
writer = None
if args.log:
    writer = SummaryWriter("runs") if dist.get_rank() == 0 else object()
trainer = Trainer(nn.Linear(4, 2), writer=writer)
trainer.ddp_model = DistributedDataParallel(trainer.model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    trainer.train(loader)
del trainer.ddp_model
dist.destroy_process_group()
