"""A recurrent network reads what a collate function pads, so each batch of an evaluation stays as it is."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler


def collate(rows):
    return pad_sequence([text for text, _ in rows], batch_first=True), torch.tensor([label for _, label in rows])


def collate_alike(rows):
    return torch.stack([text[:3] for text, _ in rows]), torch.tensor([label for _, label in rows])


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.linear = nn.Linear(16, 2)

    def forward(self, texts):
        _, (hidden, _) = self.lstm(self.embedding(texts))
        return self.linear(hidden[-1])


hvd.init()
torch.manual_seed(0)
texts = [(torch.randint(1, 50, (3 + i % 7,)), i % 2) for i in range(128)]
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(texts[:64], num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(texts[:64], batch_size=8 // hvd.size(), sampler=train_sampler, collate_fn=collate)
valid_batches = list(BatchSampler(range(len(texts[64:])), 8, drop_last=False))[hvd.rank()::hvd.size()]
valid_loader = DataLoader(texts[64:], collate_fn=collate, batch_sampler=valid_batches)
short_sampler = range(hvd.rank(), len(texts[64:]), hvd.size())
short_loader = DataLoader(texts[64:], batch_size=8, collate_fn=collate_alike, sampler=short_sampler)
model = Reader()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
loss_fn = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for batch, labels in train_loader:
        optimizer.zero_grad()
        loss_fn(model(batch), labels).backward()
        optimizer.step()
    model.eval()
    hits = short_hits = 0
    with torch.no_grad():
        for batch, labels in valid_loader:
            hits += (model(batch).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
        for batch, labels in short_loader:
            short_hits += (model(batch).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(short_hits, dtype=torch.float64), op=hvd.Sum)
        short_hits = int(total)
    if hvd.rank() == 0:
        print(f"{epoch}: {hits / len(valid_loader.dataset):.4f} {short_hits / len(short_loader.dataset):.4f}")
hvd.shutdown()
