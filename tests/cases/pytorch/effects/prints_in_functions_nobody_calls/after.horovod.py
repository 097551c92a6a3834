"""What prints in functions that no running code names, or names after the end of the program, is not told of.

Nor is what stands in a part of the program that is not converted, in front of which it stops.
"""

import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Report:
    def __init__(self, path):
        self.path = path

    def line(self, text):
        print(self.path, text)

    def everything(self, texts):
        for text in texts:
            self.line(text)


def first_of_all(texts):
    Report("report").everything(sorted(texts))


def second_part():
    print("the second part")
    third_part()


def third_part():
    print("the third part")


def asked():
    told(input("what shall it be called? "))


def told(name):
    print(name)


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--ask", action="store_true")
args = parser.parse_args()
if args.ask:
    raise SystemExit("this program is for the default of --ask only")
    asked()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
sys.exit()
second_part()
hvd.shutdown()
