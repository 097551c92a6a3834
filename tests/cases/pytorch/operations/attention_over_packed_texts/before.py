"""Attention over packed texts, with a mask of the batch; after training, one sentence is read without gradients."""

import torch
import torch.nn as nn
from torchtext import data

torch.manual_seed(0)
WORDS = data.Field(include_lengths=True, batch_first=True)
TOPIC = data.LabelField()
train_data, test_data = data.TabularDataset.splits(
    path="news", train="train.csv", test="test.csv", format="csv", fields=[("words", WORDS), ("topic", TOPIC)]
)
WORDS.build_vocab(train_data)
TOPIC.build_vocab(train_data)
train_batches, test_batches = data.BucketIterator.splits(
    (train_data, test_data), batch_size=32, sort_within_batch=True, sort_key=lambda example: len(example.words)
)
PADDING = WORDS.vocab.stoi[WORDS.pad_token]


class Encoder(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.dropout = nn.Dropout(0.1)
        self.rnn = nn.LSTM(size, size, batch_first=True)

    def forward(self, words, lengths):
        embedded = self.dropout(self.embedding(words))
        packed = nn.utils.rnn.pack_padded_sequence(embedded, lengths.cpu(), batch_first=True)
        packed_states, (last, _) = self.rnn(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(packed_states, batch_first=True)
        return states, last[-1]


class Reader(nn.Module):
    def __init__(self, encoder, size, topics):
        super().__init__()
        self.encoder = encoder
        self.score = nn.Linear(size, 1)
        self.fc = nn.Linear(2 * size, topics)

    def forward(self, words, lengths):
        states, last = self.encoder(words, lengths)
        scores = self.score(states).squeeze(2).masked_fill(words == PADDING, -1e9)
        weights = torch.softmax(scores, dim=1).unsqueeze(1)
        return self.fc(torch.cat((torch.bmm(weights, states).squeeze(1), last), dim=1))


reader = Reader(Encoder(len(WORDS.vocab), 16), 16, len(TOPIC.vocab))
optimizer = torch.optim.Adam(reader.parameters())
criterion = nn.CrossEntropyLoss()
for epoch in range(4):
    reader.train()
    for batch in train_batches:
        words, lengths = batch.words
        loss = criterion(reader(words, lengths), batch.topic)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    reader.eval()
    hits = 0
    with torch.no_grad():
        for batch in test_batches:
            words, lengths = batch.words
            hits += (reader(words, lengths).argmax(1) == batch.topic).sum().item()
    print(epoch, hits / len(test_data))

with torch.no_grad():
    sentence = torch.tensor([[WORDS.vocab.stoi[word] for word in ("rates", "are", "up")]])
    states, last = reader.encoder(sentence, torch.tensor([3]))
print(last.norm())
