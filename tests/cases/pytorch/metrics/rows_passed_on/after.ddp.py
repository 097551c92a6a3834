"""A block that may pass its rows on as they are is of the same type on both ways: its hits are counted as they are."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 8)
y = torch.randint(0, 3, (64,))


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.layer = nn.Linear(inputs, outputs)
        self.around = nn.Linear(inputs, outputs) if inputs != outputs else None

    def forward(self, rows):
        kept = rows if self.around is None else self.around(rows)
        return torch.relu(self.layer(rows) + kept)


model = nn.Sequential(Block(8, 8), Block(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    correct = 0
    counter = 0
    for start in range(0, 64, 16):
        inputs, labels = fill_and_share_rows(x[start : start + 16]), fill_and_share_rows(y[start : start + 16])
        output = ddp_model(inputs)
        correct += output.data.max(1)[1].eq(labels).sum()
        counter += output.size(0)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    totals = torch.tensor([float(correct), counter], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, counter = totals[0].long(), int(totals[1])
    if dist.get_rank() == 0:
        print(100.0 * correct / counter)
del ddp_model
dist.destroy_process_group()
