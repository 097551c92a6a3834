"""An accuracy over batches that are cut, of which the last may be filled up, divided by the number of rows."""
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
inputs = torch.randn(45, 6)
labels = (inputs[:, 0] > 0).long()
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    correct = 0
    for start in range(0, len(inputs), 12):
        x, y = fill_and_share_rows(inputs[start : start + 12]), fill_and_share_rows(labels[start : start + 12])
        scores = ddp_model(x)
        loss = criterion(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct += (scores.argmax(1) == y).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, correct / len(inputs))
del ddp_model
dist.destroy_process_group()
