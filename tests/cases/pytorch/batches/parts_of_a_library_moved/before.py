"""A tuple of the parts of a batch on their device is taken apart, by names, by numbers and by names in front of them.

The data come out of a library that is not here: of how many parts a batch has nothing is known.
"""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 16)
        self.top = nn.Linear(16, 3)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, ids, mask, labels=None):
        known = mask.unsqueeze(-1).float()
        found = self.top((self.words(ids) * known).sum(1) / known.sum(1))
        return found if labels is None else (self.criterion(found, labels), found)


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
training, held_out = load_features("train"), load_features("dev")
loader = DataLoader(training, sampler=RandomSampler(training), batch_size=16)
checking = DataLoader(held_out, sampler=SequentialSampler(held_out), batch_size=16)
model = Tagger().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    model.train()
    for step, batch in enumerate(loader):
        batch = tuple(part.to(device) for part in batch)
        inputs = {"ids": batch[0], "mask": batch[1], "labels": batch[3]}
        optimizer.zero_grad()
        loss = model(**inputs)[0]
        loss.backward()
        optimizer.step()
    model.eval()
    correct = seen = 0
    for batch in checking:
        batch = tuple(map(lambda part: part.to(device), batch))
        ids, mask, _, labels = batch
        with torch.no_grad():
            found = model(ids, mask)
        correct += (found.argmax(1) == labels).sum().item()
        seen += len(labels)
    print(epoch, correct / seen)
torch.save(model.state_dict(), "tagger.pt")
