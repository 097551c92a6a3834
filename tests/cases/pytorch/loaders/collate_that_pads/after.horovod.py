"""Sequences are padded to the longest of what the process has of a batch: said, as not every model leaves padding out."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def collate(samples):
    sequences, labels = zip(*samples)
    return pad_sequence(sequences, batch_first=True), torch.tensor(labels)


hvd.init()
torch.manual_seed(0)
data = [(torch.randn(3 + i % 7, 4), i % 2) for i in range(320)]
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler, collate_fn=collate)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x).mean(dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
