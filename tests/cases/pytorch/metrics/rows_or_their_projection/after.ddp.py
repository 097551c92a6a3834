"""A block adds what it is given, or a projection of it: rows that were cut from an array, or what a layer makes."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU(), nn.Linear(outputs, outputs))
        self.relu = nn.ReLU()
        self.projection = nn.Linear(inputs, outputs) if inputs != outputs else None

    def forward(self, x):
        rest = x if self.projection is None else self.projection(x)
        return self.relu(self.layers(x) + rest)


class Stack(nn.Module):
    def __init__(self, inputs, sizes, outputs):
        super().__init__()
        layers = []
        for i in range(len(sizes)):
            layers += [Block(inputs if i == 0 else sizes[i - 1], sizes[i])]
        self.blocks = nn.Sequential(*layers)
        self.out = nn.Linear(sizes[-1], outputs)

    def forward(self, x):
        return self.out(self.blocks(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
inputs, labels = torch.randn(640, 8), torch.randint(0, 4, (640,))
batch_size = 64
model = Stack(8, [16] * 3, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    correct, count = 0, 0
    for start in range(0, len(inputs), batch_size):
        x = fill_and_share_rows(inputs[start : start + batch_size])
        y = fill_and_share_rows(labels[start : start + batch_size])
        optimizer.zero_grad()
        out = ddp_model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        top = out.max(1, keepdim=True)[1]
        correct += top.eq(y.view_as(top)).sum()
        count += out.size(0)
        if start % 256 == 0:
            total = torch.tensor(float(100.0 * correct / count), dtype=torch.float64)
            dist.all_reduce(total)
            mean_count = (total / dist.get_world_size()).float()
            if dist.get_rank() == 0:
                print(epoch, start, f"{mean_count:.2f}")
del ddp_model
dist.destroy_process_group()
