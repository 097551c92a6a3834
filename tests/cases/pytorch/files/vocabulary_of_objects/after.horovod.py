"""A vocabulary is built by objects that fill dicts and tensors of their own, and read from its file the next time."""

import os
import pickle

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Words:
    def __init__(self):
        self.numbers = {}

    def number(self, word):
        if word not in self.numbers:
            self.numbers[word] = len(self.numbers)
        return self.numbers[word]


class Corpus:
    def __init__(self, lines):
        self.words = Words()
        self.tokens = torch.LongTensor(len(lines), 3)
        for row, line in enumerate(lines):
            self.tokens[row] = torch.tensor([self.words.number(word) for word in line.split()])


def corpus_of(path, lines):
    if hvd.rank() != 0:
        hvd.barrier()
    if os.path.exists(path):
        corpus = pickle.load(open(path, "rb"))
    else:
        corpus = Corpus(lines)
        pickle.dump(corpus, open(path if hvd.rank() == 0 else os.devnull, "wb"))
    if hvd.rank() == 0:
        hvd.barrier()
    return corpus


hvd.init()
corpus = corpus_of("corpus.pkl", ["a b c", "b c d", "c d e"] * 40)
torch.manual_seed(0)
loader_data = TensorDataset(corpus.tokens)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (tokens,) in loader:
        loss = model(tokens).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
