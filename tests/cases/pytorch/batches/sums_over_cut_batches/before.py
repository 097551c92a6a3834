"""Sums over the samples of cut batches: a last batch that N does not divide is filled up, and counted so."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
inputs = torch.randn(640, 12)
labels = (inputs[:, 0] > 0).long()
model = nn.Linear(12, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_epoch(batch_size):
    order = torch.randperm(len(inputs))
    total, correct, seen = 0.0, 0, 0
    for start in range(0, len(inputs), batch_size):
        rows = order[start : start + batch_size]
        x, y = inputs[rows].to(device), labels[rows].to(device)
        scores = model(x)
        loss = F.cross_entropy(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += (scores.argmax(1) == y).sum().item()
        seen += len(y)
    return total / seen, correct / seen


for epoch in range(3):
    loss, accuracy = train_epoch(32)
    print(epoch, loss, accuracy)
