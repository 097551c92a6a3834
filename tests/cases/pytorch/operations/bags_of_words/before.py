"""Texts one behind another with their offsets: an EmbeddingBag makes one row a sample of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
data = [(n % 3, torch.randint(0, 50, (n % 7 + 3,))) for n in range(320)]


def collate_batch(batch):
    labels, texts, offsets = [], [], [0]
    for label, text in batch:
        labels.append(label)
        texts.append(text)
        offsets.append(text.size(0))
    return torch.tensor(labels), torch.cat(texts), torch.tensor(offsets[:-1]).cumsum(dim=0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.EmbeddingBag(50, 16)
        self.fc = nn.Linear(16, 3)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))


loader = DataLoader(data, batch_size=32, shuffle=True, collate_fn=collate_batch)
model = Classifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(2):
    for label, text, offsets in loader:
        optimizer.zero_grad()
        loss = criterion(model(text, offsets), label)
        loss.backward()
        optimizer.step()
