"""Positions are cut from a buffer at the length of the batch; that the cut needs no gradient freezes no parameter."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Positions(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        table = torch.zeros(length, width)
        table[:, 0] = torch.arange(length)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)].requires_grad_(False)


def padded(samples):
    return nn.utils.rnn.pad_sequence(samples, batch_first=True)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
texts = [torch.randint(1, 50, (5 + i % 7,)) for i in range(96)]
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(texts, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(texts, batch_size=12 // hvd.size(), sampler=loader_sampler, collate_fn=padded)
embed = nn.Embedding(50, 8, padding_idx=0)
model = nn.Sequential(embed, Positions(64, 8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for tokens in loader:
        optimizer.zero_grad()
        model(tokens).mean(1).pow(2).mean().backward()
        optimizer.step()
hvd.shutdown()
