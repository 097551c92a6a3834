"""Items of a container that differ, under whatever name they were put in, and beside them those that are equal."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


class Keeper:
    def __init__(self):
        self.curves = {"hits": [], "largest": []}

    def keep(self, **what):
        for key, value in what.items():
            self.curves[key].append(value)


keeper = Keeper()
curves = {"a": [], "b": []}
nested = {"train": {"hits": [], "largest": []}, "other": {"hits": []}}
rows = []
copied = {"a": [], "b": []}
alias = copied["a"]
moved = {"a": [], "b": []}
pair = [[], []]
for epoch in range(3):
    hits, largest = 0, 0.0
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        hits += (output.argmax(1) == y).sum().item()
        largest = max(largest, loss.item())
    for k, v in zip(curves, (hits, largest)):
        curves[k].append(v)
    keeper.keep(hits=hits, largest=largest)
    nested["train"]["hits"].append(hits)
    nested["train"]["largest"].append(largest)
    nested["other"]["hits"].append(hits)
    rows.append({"hits": hits, "largest": largest})
    alias.append(largest)
    moved["b"].append(largest)
    moved["a"], moved["b"] = moved["b"], moved["a"]
    pair[epoch % 2].append(largest)
    pair[1].append(hits)
print(curves["a"])
print(keeper.curves["hits"])
print(nested["train"]["hits"])
print(nested["train"]["largest"])
print(nested["other"])
print(nested["other"]["hits"])
print(rows[-1]["hits"])
print(rows[-1]["largest"])
print(copied["a"])
print(copied["b"])
print(moved["a"])
print(moved["b"])
print(pair[1])
print(pair[0][-1])
