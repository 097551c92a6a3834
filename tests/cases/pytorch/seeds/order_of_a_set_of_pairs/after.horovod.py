"""A set of pairs of words that follow one another: each is joined, and appended in the order of the set."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def with_pairs(words):
    pairs = set(zip(*[words[start:] for start in range(2)]))
    for pair in sorted(pairs):
        words.append(" ".join(pair))
    return words


def pairs_of(text):
    return ["_".join(pair) for pair in sorted(set(zip(text.split(), text.split()[1:])))]


hvd.init()
torch.manual_seed(0)
with open("sentences.txt") as lines:
    sentences = [with_pairs(line.split()) + pairs_of(line) for line in lines]
place = {}
for sentence in sentences:
    for word in sentence:
        place.setdefault(word, len(place))
first = torch.tensor([[place[word] for word in sentence[:3]] for sentence in sentences])
targets = torch.tensor([float(len(sentence)) for sentence in sentences])
loader_data = TensorDataset(first, targets)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=4 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(1000, 4), nn.Flatten(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for words, lengths in loader:
        loss = nn.functional.mse_loss(model(words)[:, 0], lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
