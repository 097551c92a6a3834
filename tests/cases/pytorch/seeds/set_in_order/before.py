"""A set of words that is sorted, counted and asked has the same answers everywhere."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

text = "the quick brown fox jumps over the lazy dog".split() * 10
vocabulary = set(text)
numbers = {word: number for number, word in enumerate(sorted(vocabulary))}
words = torch.tensor([numbers[word] for word in text if word in vocabulary])
sizes = [len(vocabulary), 3]
longest = max(len(word) for word in vocabulary)
print(longest, [size for size in set(sizes)])
train_loader = DataLoader(TensorDataset(words[:-1], words[1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(len(numbers), 8), nn.Linear(8, len(numbers)))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
