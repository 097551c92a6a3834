"""What a process sees of the batches that are trained on, at some steps, is its shard's, alone or beside what is equal."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
rounds, worst, beside = 0, [], []


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return max(losses)


for epoch in range(2):
    losses = []
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        rounds += 1
        if step % 4 == 0:
            worst.append(max(losses))
            beside.append(measure() / max(losses))
            print(f"{rounds}:", worst[-1])
            print(f"{rounds}:", beside[-1])
print(worst)
