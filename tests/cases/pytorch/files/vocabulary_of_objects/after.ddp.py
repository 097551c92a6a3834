"""A vocabulary is built by objects that fill dicts and tensors of their own, and read from its file the next time."""

import os
import pickle

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    if dist.get_rank() != 0:
        dist.barrier()
    if os.path.exists(path):
        corpus = pickle.load(open(path, "rb"))
    else:
        corpus = Corpus(lines)
        pickle.dump(corpus, open(path if dist.get_rank() == 0 else os.devnull, "wb"))
    if dist.get_rank() == 0:
        dist.barrier()
    return corpus


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
corpus = corpus_of("corpus.pkl", ["a b c", "b c d", "c d e"] * 40)
torch.manual_seed(0)
loader_data = TensorDataset(corpus.tokens)
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (tokens,) in loader:
        loss = ddp_model(tokens).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
