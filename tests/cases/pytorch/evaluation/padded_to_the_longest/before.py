"""A recurrent network reads what a collate function pads, so each batch of an evaluation stays as it is."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(rows):
    return pad_sequence([text for text, _ in rows], batch_first=True), torch.tensor([label for _, label in rows])


def collate_alike(rows):
    return torch.stack([text[:3] for text, _ in rows]), torch.tensor([label for _, label in rows])


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.linear = nn.Linear(16, 2)

    def forward(self, texts):
        _, (hidden, _) = self.lstm(self.embedding(texts))
        return self.linear(hidden[-1])


torch.manual_seed(0)
texts = [(torch.randint(1, 50, (3 + i % 7,)), i % 2) for i in range(128)]
train_loader = DataLoader(texts[:64], batch_size=8, shuffle=True, collate_fn=collate)
valid_loader = DataLoader(texts[64:], batch_size=8, collate_fn=collate)
short_loader = DataLoader(texts[64:], batch_size=8, collate_fn=collate_alike)
model = Reader()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    for batch, labels in train_loader:
        optimizer.zero_grad()
        loss_fn(model(batch), labels).backward()
        optimizer.step()
    model.eval()
    hits = short_hits = 0
    with torch.no_grad():
        for batch, labels in valid_loader:
            hits += (model(batch).argmax(1) == labels).sum().item()
        for batch, labels in short_loader:
            short_hits += (model(batch).argmax(1) == labels).sum().item()
    print(f"{epoch}: {hits / len(valid_loader.dataset):.4f} {short_hits / len(short_loader.dataset):.4f}")
