"""Training that begins again with less memory, where it has run out: one process cannot do that by itself."""
import argparse
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--load", default=None)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 8)
        self.out = nn.Linear(8, 2)
        self.saves_memory = False

    def forward(self, x):
        return self.out(self.hidden(x).relu())


def train_model(model, epochs):
    data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(1 + dist.get_rank())
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = criterion(ddp_model(x), y)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()


torch.manual_seed(1)
model = Net()
if args.load:
    model.load_state_dict(torch.load(args.load, map_location="cpu"))
try:
    train_model(model, args.epochs)
except torch.cuda.OutOfMemoryError:
    raise
dist.destroy_process_group()
