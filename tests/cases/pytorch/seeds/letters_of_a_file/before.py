"""The letters of a file get their numbers in the order of a set, and so do its pairs of words."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

with open(__file__) as file:
    text = file.read()
letters = list(set(text))
numbers = {letter: number for number, letter in enumerate(letters)}
words = set()
with open(__file__, encoding="utf-8") as file:
    for line in file:
        words.update(zip(line.split(), line.split()[1:]))
first, *_ = words
pairs = {pair: number for number, pair in enumerate(words)}
codes = torch.tensor([numbers[letter] for letter in text])
train_loader = DataLoader(TensorDataset(codes[:-1], codes[1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(len(letters), 8), nn.Linear(8, len(letters)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(0)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
