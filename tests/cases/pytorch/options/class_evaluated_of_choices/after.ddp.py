"""The model is evaluated by a setting that the command line may replace by one of its choices: it is one of those."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.model + ".pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
main()
dist.destroy_process_group()
