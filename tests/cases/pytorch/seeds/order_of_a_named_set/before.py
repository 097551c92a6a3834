"""Words get their numbers in the order of a set, which is another one in each process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

text = "the quick brown fox jumps over the lazy dog".split() * 10
vocabulary = set(text)
numbers = {word: number for number, word in enumerate(vocabulary)}
words = torch.tensor([numbers[word] for word in text])
train_loader = DataLoader(TensorDataset(words[:-1], words[1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(len(numbers), 8), nn.Linear(8, len(numbers)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
