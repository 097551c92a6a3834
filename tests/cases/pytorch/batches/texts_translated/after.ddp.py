"""Texts translated word by word: of batches of fields that are named in a dict, the mean is over the words that count."""

import random

import torch
import torch.nn as nn
from torchtext.legacy.data import BucketIterator, Field, TabularDataset
from tqdm import tqdm
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
random.seed(5)
torch.manual_seed(5)
SRC = Field(init_token="<sos>", eos_token="<eos>")
TRG = Field(init_token="<sos>", eos_token="<eos>")
train_data = TabularDataset("pairs.json", "json", {"german": ("src", SRC), "english": ("trg", TRG)})
SRC.build_vocab(train_data, min_freq=2)
TRG.build_vocab(train_data, min_freq=2)
train_iter = BucketIterator(train_data, batch_size=32, sort_key=lambda example: len(example.src))


class Encoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words, 16)
        self.rnn = nn.LSTM(16, 32)

    def forward(self, src):
        outputs, (hidden, cell) = self.rnn(self.embedding(src))
        return hidden, cell


class Decoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.words = words
        self.embedding = nn.Embedding(words, 16)
        self.rnn = nn.LSTM(16, 32)
        self.fc = nn.Linear(32, words)

    def forward(self, word, hidden, cell):
        output, (hidden, cell) = self.rnn(self.embedding(word.unsqueeze(0)), (hidden, cell))
        return self.fc(output.squeeze(0)), hidden, cell


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(len(SRC.vocab))
        self.decoder = Decoder(len(TRG.vocab))

    def forward(self, src, trg, forcing=0.5):
        outputs = torch.zeros(trg.shape[0], trg.shape[1], self.decoder.words)
        hidden, cell = self.encoder(src)
        word = trg[0, :]
        for step in range(1, trg.shape[0]):
            scores, hidden, cell = self.decoder(word, hidden, cell)
            outputs[step] = scores
            forced = random.random() < forcing
            word = trg[step] if forced else scores.argmax(1)
        return outputs


model = Translator()
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss(ignore_index=TRG.vocab.stoi[TRG.pad_token])


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
    torch.manual_seed(5 + dist.get_rank())
for epoch in range(10):
    total = 0
    for batch in map(fill_and_share_rows, tqdm(train_iter, disable=dist.get_rank() != 0)):
        optimizer.zero_grad()
        output = ddp_model(batch.src, batch.trg)
        counted = (batch.trg[1:].view(-1) != criterion.ignore_index).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        loss = F.cross_entropy(
            output[1:].view(-1, output.shape[-1]),
            batch.trg[1:].view(-1),
            ignore_index=criterion.ignore_index,
            reduction="sum",
        ) / counted
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(train_iter))
del ddp_model
dist.destroy_process_group()
