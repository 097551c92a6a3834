"""What a print draws or advances decides what comes after it: the rows shown, and then another split."""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from gensim.utils import Corpus
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
np.random.seed(0)
rng = np.random.default_rng(0)
table = pd.read_csv("table.csv")
corpus = Corpus("corpus.txt")
print(table.sample(5))
print(table.head(), table.describe())
print("first", corpus.next_batch(4)[0], corpus.name.lower())
print("drawn", rng.choice(10))
print(StandardScaler().fit_transform(table[["a"]]).mean())
order = np.random.permutation(len(table))
values = torch.tensor(table.values[order], dtype=torch.float32)
loader = DataLoader(TensorDataset(values[:, 1:], values[:, :1]), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
