"""A trainer asks whether it was given a writer, and for how many steps: what it writes is of the global batch."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter


class Trainer:
    def __init__(self, model, writer=None):
        self.model = model
        self.writer = writer
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.steps = 0

    def train(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.steps += 1
            if self.writer and self.steps % 2 == 0:
                self.writer.add_scalar("loss", loss.item(), self.steps)
        if not self.writer:
            return
        self.writer.add_scalar("last", loss.item(), self.steps)
        self.writer.flush()


parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
writer = None
if args.log:
    writer = SummaryWriter("runs")
trainer = Trainer(nn.Linear(4, 2), writer=writer)
for epoch in range(2):
    trainer.train(loader)
