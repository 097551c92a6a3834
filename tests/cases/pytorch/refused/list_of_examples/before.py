"""The training data are a list of (sentence, tags) pairs, one step each."""
import torch
import torch.nn as nn

training_data = [("the dog ate the apple".split(), [0, 1, 2, 0, 1]), ("everybody read that book".split(), [1, 2, 0, 1])]
word_to_ix = {}
for sentence, _ in training_data:
    for word in sentence:
        word_to_ix.setdefault(word, len(word_to_ix))
model = nn.Sequential(nn.Embedding(len(word_to_ix), 6), nn.Linear(6, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(300):
    for sentence, tags in training_data:
        model.zero_grad()
        scores = model(torch.tensor([word_to_ix[w] for w in sentence]))
        nn.functional.cross_entropy(scores, torch.tensor(tags)).backward()
        optimizer.step()
