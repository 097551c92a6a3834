"""A file is fetched where it is missing, and written by the object that opens it; nothing gives a seed."""

import gzip
import pickle
from pathlib import Path

import requests
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PATH = Path("data") / "digits"
PATH.mkdir(parents=True, exist_ok=True)

if not (PATH / "digits.pkl.gz").exists():
    content = requests.get("https://example.org/digits.pkl.gz").content
    (PATH / "digits.pkl.gz").open("wb").write(content)

with gzip.open((PATH / "digits.pkl.gz").as_posix(), "rb") as file:
    x, y = pickle.load(file)
loader = DataLoader(TensorDataset(torch.tensor(x), torch.tensor(y)), batch_size=32, shuffle=True)
tried = nn.Linear(64, 10)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
(PATH / "log.txt").open("a").write(f"{epoch} epochs\n")
