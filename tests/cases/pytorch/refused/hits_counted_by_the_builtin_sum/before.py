"""Hits are added up one by one, their ratio to the samples is rounded: only the samples would be those of all."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
loader = DataLoader(points, batch_size=12, shuffle=True)
for epoch in range(2):
    hits, seen = 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        scores = net(x)
        nn.functional.cross_entropy(scores, y).backward()
        optimizer.step()
        seen += len(y)
        for guess, truth in zip(scores.argmax(1), y):
            if guess == truth:
                hits += 1
    accuracy = float(round(100 * hits / seen, 2))
    line = f"epoch {epoch}: {accuracy} %"
    print(line)
