"""Texts put into other words, with attention: batches of torchtext, time first, a mean over the words that count."""

import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchtext.data import BucketIterator, Dataset, Example, Field

random.seed(1)
torch.manual_seed(1)
SRC = Field(init_token="<sos>", eos_token="<eos>", lower=True)
TRG = Field(init_token="<sos>", eos_token="<eos>", lower=True)
FIELDS = {"source": ("src", SRC), "target": ("trg", TRG)}


def made(count):
    examples = []
    for _ in range(count):
        words = random.choices("abcdefgh", k=random.randint(2, 7))
        texts = {"source": " ".join(words), "target": " ".join(reversed(words))}
        examples.append(Example.fromdict(texts, FIELDS))
    return Dataset(examples, list(FIELDS.values()))


train_data, valid_data = made(60), made(20)
SRC.build_vocab(train_data)
TRG.build_vocab(train_data)
train_iterator = BucketIterator(train_data, batch_size=8, sort_key=lambda x: len(x.src))
valid_iterator = BucketIterator(valid_data, batch_size=8, sort_key=lambda x: len(x.src), train=False)


class Encoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words, 8)
        self.rnn = nn.GRU(8, 12)

    def forward(self, src):
        return self.rnn(self.embedding(src))


class Decoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.words = words
        self.embedding = nn.Embedding(words, 8)
        self.rnn = nn.GRU(8 + 12, 12)
        self.fc = nn.Linear(24, words)

    def forward(self, word, hidden, outputs):
        embedded = self.embedding(word.unsqueeze(0))
        outputs = outputs.permute(1, 0, 2)
        weights = torch.softmax(torch.bmm(outputs, hidden.permute(1, 2, 0)).squeeze(2), dim=1)
        context = torch.bmm(weights.unsqueeze(1), outputs).permute(1, 0, 2)
        output, hidden = self.rnn(torch.cat((embedded, context), dim=2), hidden)
        return self.fc(torch.cat((output.squeeze(0), context.squeeze(0)), dim=1)), hidden


class Translator(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, src, trg, forcing=0.5):
        length, size = trg.shape
        given = torch.zeros(length, size, self.decoder.words)
        outputs, hidden = self.encoder(src)
        word = trg[0, :]
        for step in range(1, length):
            scores, hidden = self.decoder(word, hidden, outputs)
            given[step] = scores
            forced = step % 2 == 0 or forcing == 1
            word = trg[step] if forced else scores.argmax(1)
        return given


model = Translator(Encoder(len(SRC.vocab)), Decoder(len(TRG.vocab)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
criterion = nn.CrossEntropyLoss(ignore_index=TRG.vocab.stoi[TRG.pad_token])


def train():
    model.train()
    total = 0
    for i, batch in enumerate(train_iterator):
        optimizer.zero_grad()
        output = model(batch.src, batch.trg)
        output = output[1:].view(-1, output.shape[-1])
        loss = criterion(output, batch.trg[1:].view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        total += loss.item()
    return total / len(train_iterator)


@torch.no_grad()
def evaluate():
    model.eval()
    total = 0
    for batch in valid_iterator:
        output = model(batch.src, batch.trg, 0)
        total += criterion(output[1:].view(-1, output.shape[-1]), batch.trg[1:].view(-1)).item()
    return total / len(valid_iterator)


best = float("inf")
for epoch in range(3):
    train_loss, valid_loss = train(), evaluate()
    if valid_loss < best:
        best = valid_loss
        torch.save(model.state_dict(), "best.pt")
    print(f"epoch {epoch}: train {train_loss:.4f} valid {valid_loss:.4f}")
