"""Texts of unequal length from an iterator of torchtext, packed, time first; the last batch has too few."""

import random

import torch
import torch.nn as nn
from torchtext import data

random.seed(3)
torch.manual_seed(3)
WORDS = [f"w{number}" for number in range(30)]
TEXT = data.Field(include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
FIELDS = [("text", TEXT), ("label", LABEL)]


def made(count):
    examples = []
    for _ in range(count):
        words = random.choices(WORDS, k=random.randint(2, 9))
        examples.append(data.Example.fromlist([" ".join(words), str(int(words.count("w1") > 0 or len(words) > 5))], FIELDS))
    return data.Dataset(examples, FIELDS)


whole = made(90)
train_data, valid_data = whole.split(split_ratio=0.7, random_state=random.getstate())
TEXT.build_vocab(train_data)
LABEL.build_vocab(train_data)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_iter, valid_iter = data.BucketIterator.splits(
    (train_data, valid_data),
    batch_size=12,
    sort_within_batch=True,
    sort_key=lambda example: len(example.text),
    device=device,
)


class Classifier(nn.Module):
    def __init__(self, words, padding):
        super().__init__()
        self.embedding = nn.Embedding(words, 8, padding_idx=padding)
        self.rnn = nn.LSTM(8, 8, bidirectional=True)
        self.fc = nn.Linear(16, 1)

    def forward(self, text, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(text), lengths.to("cpu"))
        output, (hidden, cell) = self.rnn(packed)
        return self.fc(torch.cat((hidden[-2, :, :], hidden[-1, :, :]), dim=1))


model = Classifier(len(TEXT.vocab), TEXT.vocab.stoi[TEXT.pad_token]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
criterion = nn.BCEWithLogitsLoss()


def accuracy(predictions, labels):
    correct = (torch.round(torch.sigmoid(predictions)) == labels).float()
    return correct.sum() / len(correct)


def train(iterator):
    model.train()
    total_loss, total_accuracy = 0, 0
    for batch in iterator:
        optimizer.zero_grad()
        text, lengths = batch.text
        predictions = model(text, lengths).squeeze(1)
        loss = criterion(predictions, batch.label)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        total_accuracy += accuracy(predictions, batch.label).item()
    return total_loss / len(iterator), total_accuracy / len(iterator)


def evaluate(iterator):
    model.eval()
    total_loss, total_accuracy = 0, 0
    with torch.no_grad():
        for batch in iterator:
            text, lengths = batch.text
            predictions = model(text, lengths).squeeze(1)
            total_loss += criterion(predictions, batch.label).item()
            total_accuracy += accuracy(predictions, batch.label).item()
    return total_loss / len(iterator), total_accuracy / len(iterator)


for epoch in range(3):
    train_loss, train_accuracy = train(train_iter)
    valid_loss, valid_accuracy = evaluate(valid_iter)
    print(f"epoch {epoch}: train {train_loss:.4f} {train_accuracy:.3f} valid {valid_loss:.4f} {valid_accuracy:.3f}")
