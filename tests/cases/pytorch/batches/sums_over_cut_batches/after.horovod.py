"""Sums over the samples of cut batches: a last batch that N does not divide is filled up, and counted so."""
import torch
import torch.nn.functional as F
from torch import nn
import horovod.torch as hvd

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
inputs = torch.randn(640, 12)
labels = (inputs[:, 0] > 0).long()
model = nn.Linear(12, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


def train_epoch(batch_size):
    order = torch.randperm(len(inputs))
    total, correct, seen = 0.0, 0, 0
    for start in range(0, len(inputs), batch_size):
        rows = order[start : start + batch_size]
        x, y = fill_and_share_rows(inputs[rows]).to(device), fill_and_share_rows(labels[rows]).to(device)
        scores = model(x)
        loss = F.cross_entropy(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += (scores.argmax(1) == y).sum().item()
        seen += len(y)
    totals = hvd.allreduce(torch.tensor([total, correct, seen], dtype=torch.float64), op=hvd.Sum)
    total, correct, seen = totals[0].item(), int(totals[1]), int(totals[2])
    return total / seen, correct / seen


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loss, accuracy = train_epoch(32)
    if hvd.rank() == 0:
        print(epoch, loss, accuracy)
hvd.shutdown()
