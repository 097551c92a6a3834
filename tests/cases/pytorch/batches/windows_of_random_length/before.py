"""The length of the window is drawn for each step: without a shared draw ranks take different numbers of steps."""
import numpy as np
import torch
import torch.nn as nn

corpus = torch.randint(0, 40, (2000, 16))
model = nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 40))
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
for epoch in range(2):
    i = 0
    while i < corpus.size(0) - 2:
        length = max(5, int(np.random.normal(35, 5)))
        length = min(length, corpus.size(0) - 1 - i)
        x, y = corpus[i:i + length], corpus[i + 1:i + 1 + length]
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x).reshape(-1, 40), y.reshape(-1)).backward()
        optimizer.step()
        i += length
