"""Texts are padded to the longest of a batch to be evaluated, and the network reads the padding."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(rows):
    return pad_sequence([text for text, _ in rows], batch_first=True), torch.tensor([label for _, label in rows])


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
short = [(torch.randint(1, 50, (4,)), i % 2) for i in range(48)]
long = [(torch.randint(1, 50, (3 + 5 * i % 17,)), i % 2) for i in range(44)]
train_loader = DataLoader(short, batch_size=8, shuffle=True)
valid_loader = DataLoader(long, batch_size=8, collate_fn=collate)
model = Reader()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    for texts, labels in train_loader:
        optimizer.zero_grad()
        loss_fn(model(texts), labels).backward()
        optimizer.step()
    model.eval()
    loss, hits = 0.0, 0
    with torch.no_grad():
        for texts, labels in valid_loader:
            outputs = model(texts)
            loss += loss_fn(outputs, labels).item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
    print(f"epoch {epoch}: loss {loss / len(valid_loader.dataset):.6f}, accuracy {hits / len(valid_loader.dataset):.4f}")
