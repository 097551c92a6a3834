"""Results are written, read back, and written anew where they cannot be read; others read them later."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def save(results, path):
    with open(path, "w") as f:
        json.dump(results, f)
    try:
        json.load(open(path))
    except Exception:
        lines = []
        with open(path, "r") as f:
            for line in f:
                lines.append(line)
        lines[-1] = "]"
        with open(path, "w") as f:
            for line in lines:
                f.write(line)


def score(path):
    with open(path) as f:
        results = json.load(f)
    return sum(results) / len(results)


torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(100, 8), torch.randint(0, 2, (100,))), batch_size=50)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    hits = []
    with torch.no_grad():
        for x, y in held_out:
            hits.extend((model(x).argmax(1) == y).int().tolist())
    save(hits, "results.json")
    print(score("results.json"))
