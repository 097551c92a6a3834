"""The parts of a batch get names: of as many parts as there are names each has the rows of the samples."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader

NAMES = ["ids", "mask", "labels"]


def moved(batch, device):
    return [part.to(device) for part in batch]


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 16)
        self.top = nn.Linear(16, 3)

    def forward(self, ids, mask):
        return self.top((self.words(ids) * mask.unsqueeze(-1)).sum(1))


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(load_features("train"), batch_size=16, shuffle=True)
model = Tagger().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        batch = dict(zip(NAMES, moved(batch, device)))
        labels = batch.pop("labels")
        optimizer.zero_grad()
        loss = criterion(model(**batch), labels)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
