"""Steps and labels that are put in their place, dimensions by name, and losses in a named tuple."""

from collections import namedtuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

Losses = namedtuple("Losses", "steps labels weight")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.cell = nn.GRUCell(8, 8)
        self.keys = nn.Linear(8, 8)
        self.scores = nn.Linear(16, 12)
        for i in range(2):
            self.add_module("dense%d" % i, nn.Linear(8 * (i + 1), 8))

    def described(self, x):
        features = [x]
        for name, layer in self.named_children():
            if name.startswith("dense"):
                features.append(layer(torch.cat(features, 1)))
        return features[-1]

    def forward(self, source, target):
        embedded = self.embedding(source)
        weights = torch.einsum("btd,bsd->bts", self.keys(embedded), embedded).softmax(dim=-1)
        read = torch.einsum("bts,bsd->btd", weights, embedded)
        state = checkpoint(self.described, read.mean(1), use_reentrant=False)
        outputs = torch.zeros(target.shape[1], source.shape[0], 12)
        for t in range(1, target.shape[1]):
            state = self.cell(self.embedding(target[:, t - 1]), state)
            outputs[t] = self.scores(torch.cat([state, read[:, t]], dim=1))
        return outputs


def as_vectors(labels, classes):
    vectors = np.zeros((labels.shape[0], classes))
    vectors[range(labels.shape[0]), labels] = 1.0
    return torch.tensor(vectors, dtype=torch.float32)


torch.manual_seed(5)
source, target = torch.randint(0, 12, (160, 5)), torch.randint(0, 12, (160, 4))
loader = DataLoader(TensorDataset(source, target), batch_size=16, shuffle=True)
model = Net()
print(f"untrained: {model(source[:1], target[:1]).shape}")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for source, target in loader:
        outputs = model(source, target)
        scores = outputs[1:].permute(1, 0, 2).reshape(-1, 12)
        last = outputs[-1].clone()
        last[target[:, -1] == 0] = 0
        losses = Losses(
            F.cross_entropy(scores, target[:, 1:].reshape(-1)),
            labels=F.mse_loss(last, as_vectors(target[:, -1].numpy(), 12)),
            weight=model.keys.weight.pow(2).mean(),
        )
        loss = losses.steps + 0.5 * losses.labels + 0.01 * losses.weight
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += losses.steps.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
