"""A set of pairs of words that follow one another: each is joined, and appended in the order of the set."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def with_pairs(words):
    pairs = set(zip(*[words[start:] for start in range(2)]))
    for pair in sorted(pairs):
        words.append(" ".join(pair))
    return words


def pairs_of(text):
    return ["_".join(pair) for pair in sorted(set(zip(text.split(), text.split()[1:])))]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
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
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=4 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(1000, 4), nn.Flatten(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for words, lengths in loader:
        loss = nn.functional.mse_loss(ddp_model(words)[:, 0], lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
