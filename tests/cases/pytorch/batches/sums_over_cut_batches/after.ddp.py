"""Sums over the samples of cut batches: a last batch that N does not divide is filled up, and counted so."""
import torch
import torch.nn.functional as F
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
inputs = torch.randn(640, 12)
labels = (inputs[:, 0] > 0).long()
model = nn.Linear(12, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


def train_epoch(batch_size):
    order = torch.randperm(len(inputs))
    total, correct, seen = 0.0, 0, 0
    for start in range(0, len(inputs), batch_size):
        rows = order[start : start + batch_size]
        x, y = fill_and_share_rows(inputs[rows]).to(device), fill_and_share_rows(labels[rows]).to(device)
        scores = ddp_model(x)
        loss = F.cross_entropy(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += (scores.argmax(1) == y).sum().item()
        seen += len(y)
    totals = torch.tensor([total, correct, seen], dtype=torch.float64)
    dist.all_reduce(totals)
    total, correct, seen = totals[0].item(), int(totals[1]), int(totals[2])
    return total / seen, correct / seen


ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loss, accuracy = train_epoch(32)
    if dist.get_rank() == 0:
        print(epoch, loss, accuracy)
del ddp_model
dist.destroy_process_group()
