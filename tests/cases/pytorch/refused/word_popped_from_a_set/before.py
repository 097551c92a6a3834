"""A word is taken out of a set: which one is a matter of chance, and sorting a copy would leave it in."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

text = "the quick brown fox jumps over the lazy dog".split() * 10
held_out = set(text)
excluded = held_out.pop()
codes = torch.tensor([len(word) for word in text if word != excluded])
train_loader = DataLoader(TensorDataset(codes[:-1], codes[1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(0)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
