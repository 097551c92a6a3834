"""A library that nobody can follow gives the batches: each process may be given others."""

import torch
from corpora import columns, corpus
from torch import nn

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
