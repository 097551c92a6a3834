"""An option decides both what the model gives and what the loss is made of: each loss is of what it is given."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Stages(nn.Module):
    def __init__(self, width, side_outputs=False):
        super().__init__()
        self.side_outputs = side_outputs
        self.first = nn.Linear(5, width)
        self.head = nn.Linear(width, 3)
        if self.side_outputs:
            self.side = nn.Linear(5, 3)

    def forward(self, x):
        features = torch.relu(self.first(x))
        if self.side_outputs:
            return [self.side(x), self.head(features)]
        return self.head(features)


def train_epoch(config, loader, model, criterion, optimizer):
    for x, y in loader:
        if config["side_outputs"]:
            outputs = model(x)
            loss = 0
            for output in outputs:
                loss += criterion(output, y)
            loss /= len(outputs)
        else:
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--side-outputs", action="store_true")
    config = vars(parser.parse_args())

    torch.manual_seed(3)
    rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(rows, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model = Stages(config["width"], config["side_outputs"])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(3 + hvd.rank())
    for epoch in range(config["epochs"]):
        loader.sampler.set_epoch(epoch)
        train_epoch(config, loader, model, criterion, optimizer)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "stages.pt")


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
