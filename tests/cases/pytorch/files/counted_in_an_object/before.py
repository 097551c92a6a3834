"""An object that was made before counts the words of a vocabulary that is built: who reads it has not counted."""

import os
import pickle

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Words:
    def __init__(self):
        self.numbers = {}

    def number(self, word):
        if word not in self.numbers:
            self.numbers[word] = len(self.numbers)
        return self.numbers[word]


class Corpus:
    def __init__(self, lines):
        self.words = words
        self.tokens = torch.LongTensor(len(lines), 3)
        for row, line in enumerate(lines):
            self.tokens[row] = torch.tensor([self.words.number(word) for word in line.split()])


def corpus_of(path, lines):
    if os.path.exists(path):
        corpus = pickle.load(open(path, "rb"))
    else:
        corpus = Corpus(lines)
        pickle.dump(corpus, open(path, "wb"))
    return corpus


words = Words()
corpus = corpus_of("corpus.pkl", ["a b c", "b c d", "c d e"] * 40)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(corpus.tokens), batch_size=12, shuffle=True)
model = nn.Sequential(nn.Embedding(len(words.numbers) + 9, 4), nn.Flatten(), nn.Linear(12, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for (tokens,) in loader:
        loss = model(tokens).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
