"""An object of the script's own gives texts with their lengths, and labels: a tuple in a tuple."""

import torch
from torch import nn


class Batches:
    def __init__(self, samples, size):
        self.samples, self.size, self.place = samples, size, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= len(self.samples):
            self.place = 0
            raise StopIteration
        rows = self.samples[self.place : self.place + self.size]
        self.place += self.size
        return self.tensors(rows)

    def tensors(self, rows):
        words = torch.LongTensor([row[0] for row in rows])
        labels = torch.LongTensor([row[1] for row in rows])
        lengths = torch.LongTensor([row[2] for row in rows])
        return (words, lengths), labels


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.scores = nn.Linear(8, 2)

    def forward(self, text):
        words, lengths = text
        return self.scores(self.embedding(words).sum(dim=1) / lengths[:, None])


torch.manual_seed(0)
samples = [([1 + i % 7, 1 + i % 3, 0], i % 2, 2) for i in range(100)]
batches = Batches(samples, 16)
model = Classifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for text, labels in batches:
        loss = nn.functional.cross_entropy(model(text), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
