"""Texts in batches of torchtext, time first and packed: each process takes its samples of all fields of a batch."""

import random

import torch
import torch.nn as nn
from torchtext import data, datasets

torch.manual_seed(7)

TEXT = data.Field(lower=True, include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
whole, test_data = datasets.IMDB.splits(TEXT, LABEL)
train_data, valid_data = whole.split(random_state=random.seed(7))
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
criterion = nn.BCEWithLogitsLoss()


def accuracy(scores, labels):
    correct = (torch.round(torch.sigmoid(scores)) == labels).float()
    return correct.sum() / len(correct)


def train(model, iterator):
    total_loss, total_accuracy = 0, 0
    model.train()
    for batch in iterator:
        optimizer.zero_grad()
        text, lengths = batch.text
        scores = model(text, lengths).squeeze(1)
        loss = criterion(scores, batch.label)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        total_accuracy += accuracy(scores, batch.label).item()
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
for epoch in range(5):
    train_loss, train_accuracy = train(model, train_iter)
    valid_loss, valid_accuracy = evaluate(model, valid_iter)
    if valid_loss < best:
        best = valid_loss
        torch.save(model.state_dict(), "reader.pt")
    print(f"{epoch}: {train_loss:.3f} {train_accuracy:.3f} {valid_loss:.3f} {valid_accuracy:.3f}")
print(evaluate(model, test_iter))
