"""Shares of a batch may differ in size: the loss, and means that are added up or printed, are weighed, sums are not."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(104, 8), torch.randint(0, 3, (104,))
loader = DataLoader(TensorDataset(x, y), batch_size=33, shuffle=True)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total, correct, running, losses = 0.0, 0, 0.0, []
    for i, (images, labels) in enumerate(loader):
        scores = model(images)
        loss = F.cross_entropy(scores, labels) + 1e-4 * model.weight.pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(labels)
        correct += (scores.argmax(1) == labels).sum().item()
        running += loss.item()
        losses.append(loss.item())
        if i % 2 == 1:
            print(f"{epoch} {i} {loss.item():.4f} {running / 2:.4f}")
            running = 0.0
    print(f"{epoch} {total / 104:.4f} {correct / len(loader.dataset):.4f} {sum(losses) / len(losses):.4f}")
