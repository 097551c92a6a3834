"""Hooks describe the layers, texts are made before they are shown, results are written, read back and read again."""
import json

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def describe(network, example):
    handles = []
    rows = []

    def note(module, given, made):
        rows.append("{}: {} -> {}".format(type(module).__name__, list(given[0].shape), list(made.shape)))

    for part in network:
        handles.append(part.register_forward_hook(note))
    network(example)
    for handle in handles:
        handle.remove()
    return "\n".join(rows)


def save(hits, path):
    with open(path, "w") as file:
        json.dump(hits, file)
    try:
        json.load(open(path))
    except Exception:
        lines = []
        with open(path) as file:
            for line in file:
                lines.append(line)
        lines[-1] = "]"
        with open(path, "w") as file:
            for line in lines:
                file.write(line)


def score(path):
    with open(path) as file:
        hits = json.load(file)
    return sum(hits) / len(hits)


torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 16
y = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:640], y[:640]), batch_size=32, shuffle=True)
held_out = DataLoader(TensorDataset(x[640:900], y[640:900]), batch_size=50)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
print(describe(model, torch.rand(1, 64)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for epoch in range(2):
    model.train()
    for step, (images, labels) in enumerate(loader):
        output = model(images)
        loss = nn.functional.cross_entropy(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            line = "step {}: {} samples".format(step, images.size(0))
            line += ", {} hits, loss {:.4f}".format((output.argmax(1) == labels).sum().item(), loss.item())
            print(line)
    model.eval()
    hits = []
    with torch.no_grad():
        for images, labels in held_out:
            hits.extend((model(images).argmax(1) == labels).int().tolist())
    save(hits, "hits.json")
    print(f"epoch {epoch}: {score('hits.json'):.4f} of the held out digits")
