"""The model is evaluated by a setting that the command line may replace by one of its choices: it is one of those."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Wide(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, classes))

    def forward(self, x):
        return self.layers(x)


class Deep(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.first, self.second = nn.Linear(10, 16), nn.Linear(16, 16)
        self.last = nn.Linear(16, classes)

    def forward(self, x):
        return self.last(torch.relu(self.second(torch.relu(self.first(x)))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["Wide", "Deep"])
    asked = parser.parse_args()
    args = argparse.Namespace(**json.load(open("settings.json")))
    if asked.model:
        args.model = asked.model
    if args.model not in ("Wide", "Deep"):
        raise SystemExit("this program is for Wide, Deep only: convert the script again")
    model = eval(args.model)(classes=3)
    loader_data = TensorDataset(torch.randn(640, 10), torch.randint(3, (640,)))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    if hvd.rank() == 0:
        torch.save(model.state_dict(), args.model + ".pt")


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
main()
hvd.shutdown()
