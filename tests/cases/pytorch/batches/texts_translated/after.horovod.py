"""Texts translated word by word: of batches of fields that are named in a dict, the mean is over the words that count."""

import random

import torch
import torch.nn as nn
from torchtext.legacy.data import BucketIterator, Field, TabularDataset
from tqdm import tqdm
import horovod.torch as hvd
import torch.nn.functional as F

hvd.init()
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss(ignore_index=TRG.vocab.stoi[TRG.pad_token])


def fill_and_share_rows(batch):
    rows = range(hvd.rank(), hvd.rank() + len(batch), hvd.size())
    rows = sorted(row % len(batch) for row in rows)
    for name, field in batch.dataset.fields.items():
        if field is not None:
            value = getattr(batch, name)
            texts, *lengths = value if field.include_lengths else (value,)
            texts = texts[:, rows] if field.sequential and not field.batch_first else texts[rows]
            setattr(batch, name, (texts, *(each[rows] for each in lengths)) if lengths else texts)
    batch.batch_size = len(rows)
    return batch


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(5 + hvd.rank())
for epoch in range(10):
    total = 0
    for batch in map(fill_and_share_rows, tqdm(train_iter, disable=hvd.rank() != 0)):
        optimizer.zero_grad()
        output = model(batch.src, batch.trg)
        counted = hvd.allreduce((batch.trg[1:].view(-1) != criterion.ignore_index).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        loss = F.cross_entropy(
            output[1:].view(-1, output.shape[-1]),
            batch.trg[1:].view(-1),
            ignore_index=criterion.ignore_index,
            reduction="sum",
        ) / counted
        loss.backward()
        optimizer.synchronize()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        with optimizer.skip_synchronize():
            optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(train_iter))
hvd.shutdown()
