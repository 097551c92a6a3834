"""Hits are sums over all processes, but how the classes are counted is not known to be one: their ratio is neither."""

import numpy
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader = DataLoader(TensorDataset(inputs, (inputs[:, 0] > 0.5).long()), batch_size=8, shuffle=True)
model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.5)


def scores(predicted, labels):
    counts = torch.histc(labels.float(), bins=2, min=0, max=2)
    hits = [((predicted == label) & (labels == label)).sum().item() for label in range(2)]
    return numpy.array(hits), numpy.array(counts)


for features, labels in loader:
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(features), labels)
    loss.backward()
    optimizer.step()

model.eval()
hits, counts = numpy.zeros(2), numpy.zeros(2)
with torch.no_grad():
    for features, labels in loader:
        right, seen = scores(model(features).argmax(1), labels)
        hits += right
        counts += seen
hits /= counts
print("accuracy", numpy.mean(hits))
