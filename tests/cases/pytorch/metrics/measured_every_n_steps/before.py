"""What every process measures whole, in some of the steps: no shard's, though it hangs on the number of the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
rounds, worst, rows = 0, [], []


def measure(step):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return max(losses), f"{step}: {min(losses)}"


for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        rounds += 1
        if step % 4 == 0:
            largest, line = measure(rounds)
            worst.append(largest)
            rows.append([rounds, largest])
            print(line, worst[-1])
print(worst, rows)
