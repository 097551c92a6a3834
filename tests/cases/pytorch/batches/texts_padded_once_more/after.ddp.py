"""Packed texts that are padded once more: they are told how long the texts of the whole batch are."""

import torch
import torch.nn as nn
from torchtext import data
import os
import random
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
random.seed(seed % 2**32)
torch.manual_seed(0)
TEXT = data.Field(include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
texts = data.TabularDataset("texts.csv", "csv", [("text", TEXT), ("label", LABEL)])
TEXT.build_vocab(texts)
LABEL.build_vocab(texts)
iterator = data.BucketIterator(texts, batch_size=64, sort_within_batch=True, sort_key=lambda example: len(example.text))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(TEXT.vocab), 20)
        self.rnn = nn.GRU(20, 30)
        self.fc = nn.Linear(30, 1)

    def forward(self, text, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(text), lengths)
        output, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], total_length=text.shape[0])
        return self.fc(output.mean(0))


model = Reader()
optimizer = torch.optim.Adam(model.parameters())


def fill_and_share_rows(batch):
    rows = range(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size())
    rows = sorted(row % len(batch) for row in rows)
    for name, field in batch.dataset.fields.items():
        if field is not None:
            value = getattr(batch, name)
            texts, *lengths = value if field.include_lengths else (value,)
            texts = texts[:, rows] if field.sequential and not field.batch_first else texts[rows]
            setattr(batch, name, (texts, *(each[rows] for each in lengths)) if lengths else texts)
    batch.batch_size = len(rows)
    return batch


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    for batch in map(fill_and_share_rows, iterator):
        loss = nn.functional.binary_cross_entropy_with_logits(ddp_model(*batch.text).squeeze(1), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
