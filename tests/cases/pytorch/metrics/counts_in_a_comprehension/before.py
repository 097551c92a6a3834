"""Counts of each class are divided in the comprehension that prints them: the list of counts is summed up before."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 8), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    right = [0, 0, 0]
    seen = 0
    for x, y in loader:
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for k in range(3):
            right[k] += ((out.argmax(1) == k) & (y == k)).sum().item()
        seen += len(y)
    print(" ".join(f"{k}: {r / seen:.3f}" for k, r in enumerate(right)))
