"""Batches with a row for each window of their sentences, of which some are left out: other numbers on each process."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(3)
        self.words = [torch.randint(0, 20, (4 + 3 * (n % 5),), generator=generator).tolist() for n in range(96)]

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.words[index]


def windows(sentences):
    pairs, following = [], []
    for words in sentences:
        if words[0] == 0:
            continue
        for place in range(len(words) - 2):
            pairs.append(words[place : place + 2])
            following.append(words[place + 2])
    return torch.tensor(pairs), torch.tensor(following)


torch.manual_seed(0)
loader = DataLoader(Sentences(), batch_size=16, shuffle=True, collate_fn=windows)
model = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(16, 20))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    total, rows = 0.0, 0
    for pairs, following in loader:
        optimizer.zero_grad()
        loss = criterion(model(pairs), following)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(following)
        rows += len(following)
    print(f"epoch {epoch}: loss {total / rows:.4f} of {rows} rows")
torch.save(model.state_dict(), "model.pt")
