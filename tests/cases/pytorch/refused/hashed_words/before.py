"""Words get their numbers by their hash, which Python salts anew in each process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

text = "the quick brown fox jumps over the lazy dog".split() * 10
numbers = range(100)
words = torch.tensor([hash(word) % 100 for word in text])
train_loader = DataLoader(TensorDataset(words[:-1], words[1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(len(numbers), 8), nn.Linear(8, len(numbers)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
