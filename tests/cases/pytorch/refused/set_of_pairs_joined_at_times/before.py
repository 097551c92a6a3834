"""Pairs of a set that are joined only at times: nothing says that they can be sorted."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def with_pairs(words, labels):
    pairs = set(zip(words, labels))
    for pair in pairs:
        if pair[1] is not None:
            words.append(" ".join(pair))
    return words


torch.manual_seed(0)
with open("sentences.txt") as lines:
    sentences = [with_pairs(line.split(), [None, *line.split()]) for line in lines]
place = {}
for sentence in sentences:
    for word in sentence:
        place.setdefault(word, len(place))
first = torch.tensor([[place[word] for word in sentence[:3]] for sentence in sentences])
targets = torch.tensor([float(len(sentence)) for sentence in sentences])
loader = DataLoader(TensorDataset(first, targets), batch_size=4, shuffle=True)
model = nn.Sequential(nn.Embedding(1000, 4), nn.Flatten(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for words, lengths in loader:
        loss = nn.functional.mse_loss(model(words)[:, 0], lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
