"""A function that makes a file puts into a list of the module, too: who finds the file has not."""
import os
import pickle

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

seen = []


def build(lines):
    made = []
    for line in lines:
        seen.append(line)
        made.append(len(line))
    return made


def corpus_of(path, lines):
    if os.path.exists(path):
        corpus = pickle.load(open(path, "rb"))
    else:
        corpus = build(lines)
        pickle.dump(corpus, open(path, "wb"))
    return corpus


corpus = corpus_of("corpus.pkl", ["a b c", "b c d", "c d e"] * 40)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(120, 3)), batch_size=12, shuffle=True)
model = nn.Linear(3, len(seen) + 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for (tokens,) in loader:
        loss = model(tokens).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
