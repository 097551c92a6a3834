"""A trainer asks whether it was given a writer, and for how many steps: what it writes is of the global batch."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, writer=None):
        self.model = model
        self.writer = writer
        self.optimizer = hvd.DistributedOptimizer(
            torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
        )
        self.steps = 0

    def train(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.steps += 1
            if self.writer and self.steps % 2 == 0:
                total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
                mean_loss = total.item() / hvd.size()
                if hvd.rank() == 0:
                    self.writer.add_scalar("loss", mean_loss, self.steps)
        if not self.writer:
            return
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            self.writer.add_scalar("last", mean_loss, self.steps)
            self.writer.flush()


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
writer = None
if args.log:
    writer = SummaryWriter("runs") if hvd.rank() == 0 else object()
trainer = Trainer(nn.Linear(4, 2), writer=writer)
hvd.broadcast_parameters(trainer.model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    trainer.train(loader)
hvd.shutdown()
