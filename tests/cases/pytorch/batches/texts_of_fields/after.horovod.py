"""Texts in batches of torchtext, time first and packed: each process takes its samples of all fields of a batch."""

import random

import torch
import torch.nn as nn
from torchtext import data, datasets
import horovod.torch as hvd
import torchtext.vocab as vocab

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(7)

TEXT = data.Field(lower=True, include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
if hvd.rank() == 0:
    datasets.IMDB.download(".data")
hvd.barrier()
whole, test_data = datasets.IMDB.splits(TEXT, LABEL)
train_data, valid_data = whole.split(random_state=random.seed(7))
if hvd.rank() == 0:
    vocab.pretrained_aliases["glove.6B.50d"]()
hvd.barrier()
TEXT.build_vocab(train_data, max_size=20000, vectors="glove.6B.50d", unk_init=torch.Tensor.normal_)
LABEL.build_vocab(train_data)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_iter, valid_iter, test_iter = data.BucketIterator.splits(
    (train_data, valid_data, test_data), batch_size=64, sort_within_batch=True, device=device
)


class Reader(nn.Module):
    def __init__(self, words, padding):
        super().__init__()
        self.embedding = nn.Embedding(words, 50, padding_idx=padding)
        self.rnn = nn.LSTM(50, 32, bidirectional=True)
        self.fc = nn.Linear(64, 1)

    def forward(self, text, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(text), lengths.cpu())
        output, (hidden, cell) = self.rnn(packed)
        return self.fc(torch.cat((hidden[-2], hidden[-1]), dim=1))


model = Reader(len(TEXT.vocab), TEXT.vocab.stoi[TEXT.pad_token]).to(device)
model.embedding.weight.data.copy_(TEXT.vocab.vectors)
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.BCEWithLogitsLoss()


def accuracy(scores, labels):
    correct = (torch.round(torch.sigmoid(scores)) == labels).float()
    return correct.sum() / len(correct)


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


def train(model, iterator):
    total_loss, total_accuracy = 0, 0
    model.train()
    for batch in map(fill_and_share_rows, iterator):
        optimizer.zero_grad()
        text, lengths = batch.text
        scores = model(text, lengths).squeeze(1)
        loss = criterion(scores, batch.label)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        total_accuracy += accuracy(scores, batch.label).item()
    totals = hvd.allreduce(torch.tensor([total_loss, total_accuracy], dtype=torch.float64), op=hvd.Sum)
    total_loss, total_accuracy = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    return total_loss / len(iterator), total_accuracy / len(iterator)


def evaluate(model, iterator):
    total_loss, total_accuracy = 0, 0
    model.eval()
    with torch.no_grad():
        for batch in iterator:
            text, lengths = batch.text
            scores = model(text, lengths).squeeze(1)
            total_loss += criterion(scores, batch.label).item()
            total_accuracy += accuracy(scores, batch.label).item()
    return total_loss / len(iterator), total_accuracy / len(iterator)


best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(7 + hvd.rank())
    random.seed(7 + hvd.rank())
for epoch in range(5):
    train_loss, train_accuracy = train(model, train_iter)
    valid_loss, valid_accuracy = evaluate(model, valid_iter)
    if valid_loss < best:
        best = valid_loss
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "reader.pt")
    if hvd.rank() == 0:
        print(f"{epoch}: {train_loss:.3f} {train_accuracy:.3f} {valid_loss:.3f} {valid_accuracy:.3f}")
evaluate_result = evaluate(model, test_iter)
if hvd.rank() == 0:
    print(evaluate_result)
hvd.shutdown()
