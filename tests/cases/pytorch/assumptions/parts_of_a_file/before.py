"""Columns of a tensor from a file of unknown content: they are assumed to have the samples in their first dimension."""

import pickle

import torch
from torch import nn


def columns(data, start, length):
    length = min(length, data.size(1) - 1 - start)
    return data[:, start : start + length], data[:, start + 1 : start + 1 + length]


with open("corpus.pkl", "rb") as file:
    corpus = pickle.load(file)
text = corpus["text"].view(16, -1)
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for start in range(0, text.size(1) - 1, 20):
        tokens, following = columns(text, start, 20)
        scores = model(tokens)
        loss = criterion(scores.reshape(-1, 30), following.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
