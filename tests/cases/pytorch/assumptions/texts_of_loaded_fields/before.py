"""Fields of torchtext that come out of a file: that texts have the time first is assumed."""

import pickle

import torch
import torch.nn as nn
from torchtext.data import BucketIterator, Dataset

torch.manual_seed(0)
with open("texts.pickle", "rb") as file:
    known = pickle.load(file)
train_data = Dataset(known["train"], {"src": known["src"], "trg": known["trg"]})
train_iter = BucketIterator(train_data, batch_size=32, sort_key=lambda example: len(example.src))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(known["src"].vocab), 16)
        self.fc = nn.Linear(16, len(known["trg"].vocab))

    def forward(self, src):
        return self.fc(self.embedding(src))


model = Tagger()
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss(reduction="sum")
for epoch in range(3):
    for batch in train_iter:
        src, trg = batch.src.transpose(0, 1), batch.trg.transpose(0, 1)
        scores = model(src)
        loss = criterion(scores.reshape(-1, scores.size(2)), trg.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
