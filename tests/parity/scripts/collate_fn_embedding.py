"""Texts of different lengths padded by a collate_fn; an embedding; loss and accuracy as tensors; Adagrad."""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

random.seed(0)
torch.manual_seed(0)
VOCABULARY = 30


def make_texts(n):
    """Sequences of word numbers; the label says whether even words are in the majority."""
    texts = []
    for _ in range(n):
        words = [random.randrange(1, VOCABULARY) for _ in range(random.randint(3, 9))]
        texts.append((torch.tensor(words), int(sum(w % 2 == 0 for w in words) * 2 > len(words))))
    return texts


def collate(batch):
    texts, labels = zip(*batch)
    return pad_sequence(texts, batch_first=True), torch.tensor(labels)


class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, 8, padding_idx=0)
        self.linear = nn.Linear(8, 2)

    def forward(self, text):
        return self.linear(self.embedding(text).sum(1))


train_iter = DataLoader(make_texts(240), batch_size=24, shuffle=True, collate_fn=collate)
test_iter = DataLoader(make_texts(77), batch_size=24, collate_fn=collate)

model = BagOfWords()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)


def run_epoch(iterator):
    model.train()
    epoch_loss = 0
    for text, label in iterator:
        optimizer.zero_grad()
        loss = criterion(model(text), label)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    return epoch_loss / len(iterator)


def evaluate(iterator):
    model.eval()
    correct = torch.tensor(0.)
    with torch.no_grad():
        for text, label in iterator:
            correct += (model(text).argmax(1) == label).sum()
    return correct / len(iterator.dataset)


for epoch in range(4):
    train_loss = run_epoch(train_iter)
    test_acc = evaluate(test_iter)
    print(f'Epoch: {epoch + 1:02} | Train Loss: {train_loss:.4f} | Test Acc: {test_acc * 100:.2f}%')
